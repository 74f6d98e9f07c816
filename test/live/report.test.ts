/** The report in a real browser: that it shows its plots, complains about nothing, and fits a phone. */
import { execFile } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { compare } from '../../src/evaluation/compare.ts'
import { report } from '../../src/evaluation/report.ts'
import { findBrowser } from '../support/browser.ts'
import { systemsOf } from '../support/evaluated.ts'
import { findings, useBrowser } from '../support/page-browser.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const browser = await findBrowser()

/** Opens a page and gives its document and what it wrote to the console. */
async function open(path: string, folder: string, flags: readonly string[]) {
  const { stdout, stderr } = await run(
    browser!,
    [
      ...['--headless', '--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
      ...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
      ...['--enable-logging=stderr', `--user-data-dir=${join(folder, 'profile')}`, ...flags],
      pathToFileURL(path).href,
    ],
    { timeout: 60_000, maxBuffer: 64 * 1024 * 1024 },
  )
  return { document: stdout, console: stderr.split('\n').filter((line) => line.includes('CONSOLE')) }
}

async function writeReport(folder: string): Promise<string> {
  const ranks = Array.from({ length: 60 }, (_, index) => index % 4)
  const systems = await systemsOf({
    none: ranks,
    better: ranks.map((rank) => (rank === 3 ? 1 : rank)),
    'worse <script>document.title = "ran"</script>': ranks.map((rank) => (rank === 1 ? 0 : rank)),
  })
  const path = join(folder, 'report.html')
  await writeFile(path, await report(compare(systems, { collection: 'made up', k: 10, depth: 100 })))
  return path
}

/** A page that holds the report in a frame of this width, and so high that nothing scrolls, and says what it measures there. */
function frame(report: string, width: number): string {
  return `<iframe src="${pathToFileURL(report).href}" style="width: ${width}px; height: 12000px; border: 0"></iframe><script>
onload = () => {
  const page = document.querySelector('iframe').contentDocument
  const plots = [...page.querySelectorAll('.plot')].map((plot) => plot.getBoundingClientRect())
  document.body.textContent = JSON.stringify({
    title: page.title,
    scripts: page.scripts.length,
    pageWidth: page.documentElement.scrollWidth,
    plots: plots.length,
    widest: Math.max(...plots.map(({ right }) => right)),
    lowest: Math.min(...plots.map(({ height }) => height)),
  })
}
</script>`
}

describe.skipIf(browser === undefined)(
  'the report in a browser (needs chromium: apt-get install chromium)',
  () => {
    it.each([360, 768, 1280])(
      'shows its plots within %d pixels, runs nothing and complains about nothing',
      async (width) => {
        const folder = await temporaryFolder()
        const wrapper = join(folder, 'frame.html')
        await writeFile(wrapper, frame(await writeReport(folder), width))
        const { document, console } = await open(wrapper, folder, [
          '--allow-file-access-from-files',
          '--dump-dom',
        ])
        expect(console).toEqual([])
        const measured = JSON.parse(/<body>(.*)<\/body>/s.exec(document)![1]!)
        expect(measured).toMatchObject({ scripts: 0, pageWidth: width })
        expect(measured.title).not.toBe('ran')
        // Scores, differences, gains and losses of two systems, decisions, latency.
        expect(measured.plots).toBe(1 + 2 + 2 + 1 + 1)
        expect(measured.widest).toBeLessThanOrEqual(width)
        expect(measured.lowest).toBeGreaterThan(50)
      },
    )

    it('is a picture that is not the same in the dark', async () => {
      const folder = await temporaryFolder()
      const path = await writeReport(folder)
      const pictures = []
      for (const scheme of [1, 0]) {
        const picture = join(folder, `${scheme}.png`)
        const { console } = await open(path, folder, [
          `--screenshot=${picture}`,
          '--window-size=1280,2000',
          `--blink-settings=preferredColorScheme=${scheme}`,
        ])
        expect(console).toEqual([])
        pictures.push(await readFile(picture))
      }
      // A blank page of this size packs to a few kilobytes.
      for (const picture of pictures) expect(picture.length).toBeGreaterThan(50_000)
      expect(pictures[0]!.equals(pictures[1]!)).toBe(false)
    })
  },
)

describe.skipIf(browser === undefined)(
  'a report of `compare` in a browser (needs chromium: apt-get install chromium)',
  () => {
    const openPage = useBrowser(browser!)

    it.each([
      ['light', 1280],
      ['dark', 360],
    ] as const)(
      'in the %s, %d pixels wide: leads from a query to its explanation and back, from a file',
      async (colorScheme, width) => {
        const folder = await temporaryFolder()
        const [index, file] = [join(folder, 'index'), join(folder, 'report.html')]
        expect((await runToEnd(['index', 'src/sample', '--out', index])).status).toBe(0)
        const compared = [
          'compare',
          'src/sample',
          '--index',
          index,
          '--policies',
          'none,local',
          '--report',
          file,
        ]
        expect((await runToEnd(compared)).status).toBe(0)
        const { page, complaints } = await openPage(pathToFileURL(file).href, {
          colorScheme,
          viewport: { width, height: 900 },
        })
        expect(await findings(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)

        const query = page.locator('.extremes a').first()
        const text = await query.innerText()
        await query.focus()
        await page.keyboard.press('Enter')
        await page.locator('#report').waitFor({ state: 'hidden' })
        expect(await page.locator('h1.asked').innerText()).toBe(text)
        expect(await page.locator('.before h3, .after h3').allInnerTexts()).toEqual([
          expect.stringContaining('Your words alone'),
          expect.stringContaining('With “local”'),
        ])
        expect(await page.locator('article h2').innerText()).toContain('The answer needs')
        expect(await page.locator('.hit .tag', { hasText: 'needed' }).count()).toBeGreaterThan(0)
        expect(await page.locator('.searches li').count()).toBeGreaterThan(1)
        expect(await page.locator('.time').count()).toBe(1)
        expect(await page.locator('#report').isVisible()).toBe(false)
        expect(await findings(page)).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)

        await page.getByRole('link', { name: 'Back to the report' }).click()
        await page.locator('#report').waitFor()
        expect(await page.evaluate('document.activeElement.textContent')).toBe(text)
        await page.goBack()
        expect(await page.locator('h1.asked').innerText()).toBe(text)
        expect(complaints).toEqual([])
      },
    )
  },
)
