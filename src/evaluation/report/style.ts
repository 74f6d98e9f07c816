/**
 * The style sheet of a report. Blue and orange are safe for color-blind readers, and each color's meaning also appears as
 * text or a mark. The plots use the same variables, so dark mode and print apply to them too.
 */
export const style = `
:root {
  color-scheme: light dark;
  --paper: light-dark(#faf9f6, #14171b); --card: light-dark(#ffffff, #1b1f25); --ink: light-dark(#1c2027, #e9eaec);
  --soft: light-dark(#5d6470, #a3aab5); --line: light-dark(#e4e2dc, #313741); --whisker: light-dark(#1c2027, #f4f5f6);
  --baseline: light-dark(#868d99, #8b939f); --better: light-dark(#4a90cf, #3f86c6); --worse: light-dark(#e0823d, #cc6f2c);
  --unclear: light-dark(#cfd2d7, #565d68); --better-text: light-dark(#14609f, #7dbaf0); --worse-text: light-dark(#a8480a, #f2a267);
  --unclear-text: light-dark(#5d6470, #a3aab5); --as-is: light-dark(#d5d7db, #474e59); --on-as-is: light-dark(#1c2027, #f1f2f3);
  --rewrite: light-dark(#62a8a0, #4f968e); --on-rewrite: light-dark(#0c1f1d, #06110f); --decompose: light-dark(#4f4a8c, #8a83d6);
  --on-decompose: light-dark(#ffffff, #0e0c22); --fallback: light-dark(#e0a526, #cf9720); --on-fallback: light-dark(#241a02, #1c1402);
  --error: light-dark(#a3243f, #d65a74); --on-error: light-dark(#ffffff, #1d0409); --deciding: light-dark(#4f4a8c, #8a83d6);
  --searching: light-dark(#62a8a0, #4f968e); --fusing: light-dark(#e0a526, #cf9720); --reranking: light-dark(#b46a8f, #c27ba0);
}
* { box-sizing: border-box; }
html { -webkit-text-size-adjust: 100%; text-size-adjust: 100%; }
body {
  margin: 0; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, -apple-system, "Segoe UI", Roboto, "Helvetica Neue", "Noto Sans", Arial, sans-serif;
  font-variant-numeric: tabular-nums lining-nums;
}
main { max-width: 66rem; margin: 0 auto; padding: 3rem 1.5rem 4rem; }
h1, h2 { font-family: "Iowan Old Style", "Palatino Linotype", Palatino, "Book Antiqua", Georgia, serif; text-wrap: balance; }
h1 { margin: .4rem 0 1rem; max-width: 24em; font-size: clamp(1.7rem, 1.1rem + 2.4vw, 2.7rem); font-weight: 600; line-height: 1.15; letter-spacing: -.012em; }
h2 { margin: 0 0 .25rem; font-size: 1.5rem; font-weight: 600; line-height: 1.25; }
h3 { margin: 0 0 .25rem; font-size: 1.02rem; font-weight: 650; }
h4 { margin: 0 0 .5rem; font-size: .88rem; font-weight: 650; }
p { margin: 0 0 .6rem; }
b, strong { font-weight: 650; }
.eyebrow { margin: 0; color: var(--soft); font-size: .88rem; letter-spacing: .01em; }
.lead { max-width: 44em; font-size: 1.1rem; }
.note { max-width: 50em; color: var(--soft); font-size: .92rem; }
.name { font-weight: 650; overflow-wrap: anywhere; }
.better { color: var(--better-text); } .worse { color: var(--worse-text); } .unclear { color: var(--unclear-text); }
.loud { max-width: 52rem; margin: 1rem 0 0; padding: .7rem 1rem; border-left: 4px solid var(--fallback); background: var(--card); }
.loud p { margin: .1rem 0; }

section { margin-top: 3.25rem; padding-top: 1.5rem; border-top: 1px solid var(--line); }
.plots { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 19rem), 1fr)); gap: 1.25rem; margin-top: 1.1rem; align-items: start; }
.card { margin: 0; padding: 1.1rem 1.25rem 1.2rem; border: 1px solid var(--line); border-radius: 10px; background: var(--card); break-inside: avoid; }
.card + .card { margin-top: 1.25rem; }
.plots > .card + .card { margin-top: 0; }
.plots > .card:only-child { max-width: 34rem; }
.plot { margin-top: .8rem; font-size: .82rem; }
.plot i, .plot .axis span, .field > span { position: absolute; }
.plot span, .plot b { background: var(--card); }
.rows, .track, .axis, .field, .bars { position: relative; }
.row { position: relative; z-index: 1; display: flex; gap: .8em; justify-content: space-between; margin: .55rem 0 .2rem; }
.row .of { flex: 1; overflow-wrap: anywhere; }
.row > :not(.of) { min-width: 4.4em; text-align: right; }
.row > span:not(.of, .better, .worse) { color: var(--soft); }
.track { height: 1.15rem; }
.bar { top: 0; bottom: 0; overflow: hidden; text-align: center; font-style: normal; }
.bar span { background: none; }
.interval { top: 25%; bottom: 25%; border: solid; border-width: 0 1.5px; margin: 0 -1.5px; }
.interval::before { content: ""; position: absolute; top: 50%; width: 100%; border-top: 1.5px solid; }
.dot { top: 50%; width: .65em; height: .65em; margin: -.32em; border-radius: 50%; }
.grid, .line { top: 0; bottom: 0; border-left: 1px solid var(--line); }
.line { border-color: var(--baseline); } .dotted { border-left-style: dotted; }
.axis { height: 1.4em; margin-top: .3rem; color: var(--soft); font-size: .9em; }
.axis span { transform: translateX(-50%); white-space: nowrap; }
.axis span:first-child { transform: none; } .axis span:last-child { transform: translateX(-100%); }
.field { height: 13rem; margin: .9rem 0 .9rem 2.6em; }
.level { left: 0; right: 0; border-top: 1px solid var(--line); }
.field > span { left: -2.6em; color: var(--soft); font-size: .9em; transform: translateY(50%); }
.bars { height: 100%; }
figcaption { margin-top: .6rem; color: var(--soft); font-size: .92rem; }
figcaption p { margin: 0 0 .3rem; }
.queries { margin-top: 1.1rem; }
.key { display: flex; flex-wrap: wrap; gap: .2rem 1.2rem; margin: .6rem 0 0; padding: 0; list-style: none; color: var(--soft); font-size: .88rem; }
.key i { display: inline-block; width: .8em; height: .8em; margin-right: .4em; border-radius: 2px; vertical-align: -.04em; }

.extremes { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 20rem), 1fr)); gap: 1rem 2.5rem; margin-top: 1rem; }
.extremes ol { margin: 0; padding: 0; list-style: none; }
.extremes li { padding: .5rem 0; border-top: 1px solid var(--line); font-size: .92rem; break-inside: avoid; }
.query { margin: 0; overflow-wrap: anywhere; }
.extremes .wide { grid-column: 1 / -1; } .wide ol { columns: 20rem; column-gap: 2.5rem; }
.became { margin: .1rem 0 0; color: var(--soft); font-size: .86rem; overflow-wrap: anywhere; }

.moved { margin: .15rem 0 0; overflow-wrap: anywhere; }
.query a { color: inherit; text-decoration-color: var(--better); text-underline-offset: .15em; }
.query a:hover, .query a:focus-visible { color: var(--better-text); }

.scroll { overflow-x: auto; margin-top: 1rem; border: 1px solid var(--line); border-radius: 10px;
  background: linear-gradient(90deg, var(--card) 40%, transparent) left / 3rem 100% no-repeat local, linear-gradient(270deg, var(--card) 40%, transparent) right / 3rem 100% no-repeat local,
    linear-gradient(90deg, var(--baseline), transparent) left / .8rem 100% no-repeat, linear-gradient(270deg, var(--baseline), transparent) right / .8rem 100% no-repeat, var(--card); }
.scroll:focus-visible { outline: 2px solid var(--better); }
table { width: 100%; border-collapse: collapse; font-size: .9rem; }
th, td { padding: .45rem .8rem; text-align: right; white-space: nowrap; border-top: 1px solid var(--line); }
thead th { border-top: 0; color: var(--soft); font-weight: 500; vertical-align: bottom; }
th:first-child, td:first-child { text-align: left; }
tbody th { font-weight: 500; }
tbody th[colspan] { padding-top: 1.1rem; font-weight: 650; }
tbody:first-of-type th[colspan] { padding-top: .6rem; }
dl { display: grid; grid-template-columns: max-content 1fr; gap: .35rem 1.5rem; margin: 1rem 0 0; font-size: .95rem; }
dt { color: var(--soft); } dd { margin: 0; overflow-wrap: anywhere; }

@media (max-width: 44rem) {
  main { padding: 1.6rem 1rem 2.5rem; }
  section { margin-top: 2.25rem; padding-top: 1.25rem; }
  .card { padding: .8rem .7rem .9rem; }
  dl { grid-template-columns: 1fr; gap: 0; } dd { margin-bottom: .6rem; }
}
@media print {
  :root { color-scheme: light; }
  @page { margin: 14mm; }
  body { background: none; font-size: 10.5pt; print-color-adjust: exact; -webkit-print-color-adjust: exact; }
  main { max-width: none; padding: 0; }
  .plots, .extremes { grid-template-columns: 1fr 1fr; }
  .scroll { overflow: visible; border: 0; } table { font-size: 8.5pt; } th, td { padding: .3rem .45rem; }
  section { margin-top: 1.5rem; } h2, h3, h2 + .note { break-after: avoid; }
}
`
