/** The picture of README, site and package: it shows what `serve --sample` finds today, and can be read on a phone. */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describe, expect, it } from 'vitest'
import { drawSearch, figureOfSample, readmeLines, searchOfSample } from '../../scripts/draw-search.mjs'
import { findBrowser } from '../support/browser.ts'
import { useBrowser } from '../support/page-browser.ts'

const file = 'docs/search.svg'

it('is drawn from the search that `serve --sample` shows: `node scripts/draw-search.mjs` draws it again', async () => {
  const search = await searchOfSample()
  expect(readFileSync(file, 'utf8')).toBe(drawSearch(search))
  expect(readFileSync('README.md', 'utf8')).toContain(readmeLines(search, await figureOfSample()))
  const found = search.found.slice(0, 5).filter(({ docid }) => search.needed.has(docid))
  expect(readFileSync(file, 'utf8')).toContain(`>${found.length} of ${search.needed.size}</text>`)
})

const command = await findBrowser()
describe.skipIf(command === undefined)('in a browser (needs chromium)', () => {
  const open = useBrowser(command!)

  it.each(['light', 'dark'] as const)(
    '%s: texts stay within the picture, and are large',
    async (colorScheme) => {
      const { page, complaints } = await open(pathToFileURL(resolve(file)).href, { colorScheme })
      const { texts, width, ink } = (await page.evaluate(`({
      width: document.documentElement.viewBox.baseVal.width,
      ink: getComputedStyle(document.querySelector('text')).fill,
      texts: [...document.querySelectorAll('text')].map((text) => ({
        right: text.getBBox().x + text.getBBox().width,
        size: Number.parseFloat(getComputedStyle(text).fontSize),
      })),
    })`)) as { texts: { right: number; size: number }[]; width: number; ink: string }
      for (const { right, size } of texts) {
        expect(right).toBeLessThan(width - 20)
        // On a phone of 390 pixels, 358 of them for the picture.
        expect((size * 358) / width).toBeGreaterThan(7.5)
      }
      expect(ink).toBe(colorScheme === 'light' ? 'rgb(31, 35, 40)' : 'rgb(240, 246, 252)')
      expect(complaints).toEqual([])
    },
  )
})
