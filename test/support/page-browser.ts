/** A real browser for pages that Querent serves or writes: what they complain about, and what axe finds in them. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import type { AxeResults } from 'axe-core'
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core'
import { afterAll, beforeAll, onTestFinished } from 'vitest'

const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core'), 'utf8')

/** Starts the browser, with more arguments if wanted, before the tests of a file, and closes it after them. */
export function useBrowser(executablePath: string, args: readonly string[] = []) {
  let browser: Browser
  beforeAll(async () => {
    browser = await chromium.launch({ executablePath, args: ['--no-sandbox', ...args] })
  })
  afterAll(() => browser?.close())

  /** Opens a page, and collects what it complains about and what it asks other servers for. */
  return async function open(address: string, options: BrowserContextOptions = {}) {
    const context = await browser.newContext(options)
    onTestFinished(() => context.close())
    const page = await context.newPage()
    const complaints: string[] = []
    const own = address.startsWith('file:') ? address.replace(/#.*/, '') : new URL(address).origin
    page.on('console', (message) => complaints.push(message.text()))
    page.on('pageerror', ({ message }) => complaints.push(message))
    page.on('request', (request) => {
      const url = request.url()
      if (!url.startsWith(own) && !/^(data|blob):/.test(url)) complaints.push(url)
    })
    await page.goto(address)
    return { page, complaints }
  }
}

/** What axe finds, with the first place of each. */
export async function findings(page: Page): Promise<readonly string[]> {
  await page.evaluate(axe)
  const { violations } = await page.evaluate((): Promise<AxeResults> => Reflect.get(globalThis, 'axe').run())
  return violations.map(({ help, nodes }) => `${help}: ${nodes[0]!.html}`)
}

/** Waits until all searches for a text are over. */
export const over = (page: Page, text: string): Promise<unknown> =>
  page
    .locator('h1', { hasText: text })
    .and(page.locator(':root:not(:has(article[aria-busy=true])) h1'))
    .waitFor({ state: 'attached' })
