// @ts-check
/** The first page of the site: what Querent is, shown by a search, and the documentation by task. */
import { addressOf } from './pages.mjs'

/**
 * @param {readonly import('../../scripts/doc-index.mjs').DocSection[]} sections
 * @param {string} readme which has the picture, and the figure below it
 */
export function homePage(sections, readme) {
  const [, alt, figure] = readme.match(/^!\[(.*)\]\(docs\/search\.svg\)\n\n(.*)$/m) ?? []
  if (figure === undefined) throw new Error('README.md has no picture with a figure below it')
  return `---
layout: home
title: Querent
titleTemplate: searches that find what was meant
---

<div class="first">
<div class="words">

# <span>Querent</span> Searches that find what was meant

Middleware between your application and its search engine. It searches a query unchanged, rewritten or split, merges the results, and re-ranks them. No language model is needed.

\`\`\`sh
npm run quickstart           # in a clone
npx querent serve --sample   # this search
\`\`\`

<div class="figure">

${figure}

</div>

[Getting started](/docs/start){.action} [What it is](/overview) [API](/api/)

</div>
<div class="picture">

![${alt}](/docs/search.svg)

</div>
</div>

<div class="by-task">

${sections.map(taskOf).join('\n\n')}

</div>
`
}

/** @param {import('../../scripts/doc-index.mjs').DocSection} section */
const taskOf = ({ title, pages }) =>
  `<section>\n\n## ${title}\n\n${pages.map(({ title, path }) => `- [${title}](/${addressOf(path)})`).join('\n')}\n\n</section>`
