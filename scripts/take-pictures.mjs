// @ts-check
/**
 * Pictures that only a browser can take: `docs/card.png`, the card of links to the site, and `docs/page.png`, the page of
 * `querent serve --sample` with the search that it proposes. `node scripts/draw-search.mjs` comes first.
 *
 *     npm run build && node scripts/take-pictures.mjs [chromium]
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { chromium } from 'playwright-core'
import { withSample } from './draw-search.mjs'
import { root } from './steps.mjs'

const executablePath = process.argv[2] ?? '/usr/bin/chromium'
const svg = readFileSync(join(root, 'docs/search.svg'), 'utf8')
const card = `<!doctype html><meta charset="utf-8"><style>
body { margin: 0; height: 640px; display: flex; gap: 40px; align-items: center; padding: 0 40px; background: #faf9f6; color: #1c2027; font-family: system-ui, sans-serif; }
h1 { margin: 0 0 16px; color: #14609f; font-size: 60px; } p { margin: 0; font: 600 37px/1.25 system-ui, sans-serif; } svg { flex: none; width: 790px; height: auto; }
</style><body><div><h1>Querent</h1><p>Searches that find what was meant</p></div>${svg}`

const browser = await chromium.launch({ executablePath, args: ['--no-sandbox'] })
const page = await browser.newPage({
  viewport: { width: 1280, height: 640 },
  colorScheme: 'light',
  reducedMotion: 'reduce',
})
await page.setContent(card)
await page.screenshot({ path: join(root, 'docs/card.png') })
await withSample(async (proposed) => {
  await page.setViewportSize({ width: 1280, height: 900 })
  // The first search waits for what is loaded once.
  for (let time = 0; time < 3; time++) {
    await page.goto(proposed.href)
    await page.locator('main:not([aria-busy=true], :has([aria-busy=true])) li').first().waitFor()
  }
  await page.screenshot({ path: join(root, 'docs/page.png') })
})
await browser.close()
