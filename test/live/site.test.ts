/** The site of the documentation as a browser shows it, from a server of static files. `npm run site` makes it. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { extname, join } from 'node:path'
import { type Browser, chromium } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { findBrowser } from '../support/browser.ts'
import { startLoopbackServer } from '../support/loopback-server.ts'

const folder = 'docs/site/html'
const axe = readFileSync('node_modules/axe-core/axe.min.js', 'utf8')
const command = await findBrowser()
/** The first page, and every page of the documentation. The many that are made from the code are alike: see below. */
const names = existsSync(folder) ? readdirSync(join(folder, 'docs')) : []
const written = ['/', ...names.filter((name) => name.endsWith('.html')).map((name) => `/docs/${name}`)]
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.json': 'application/json',
  '.txt': 'text/plain; charset=utf-8',
}

describe.skipIf(command === undefined || !existsSync(join(folder, 'index.html')))('the site', () => {
  let browser: Browser
  let url: string
  beforeAll(async () => {
    const server = await startLoopbackServer(({ url: path = '/' }, response) => {
      const { pathname } = new URL(path, 'http://site')
      const file = join(folder, pathname.endsWith('/') ? `${pathname}index.html` : pathname)
      const isThere = statSync(file, { throwIfNoEntry: false })?.isFile() ?? false
      response.writeHead(isThere ? 200 : 404, {
        'content-type': types[extname(file)] ?? 'application/octet-stream',
      })
      response.end(isThere ? readFileSync(file) : '')
    })
    url = server.url
    const args = ['--no-sandbox', '--disable-gpu', '--disable-quic', '--disable-background-networking']
    browser = await chromium.launch({ executablePath: command!, args })
  })
  afterAll(() => browser?.close())

  /** A page, with what it asked other hosts for and what went wrong in it. */
  async function open(path: string, colorScheme: 'light' | 'dark' = 'light') {
    const page = await browser.newPage({ colorScheme })
    const faults: string[] = []
    page.on('request', (request) => {
      const asked = request.url()
      if (!asked.startsWith(url) && !asked.startsWith('data:')) faults.push(`asks for ${asked}`)
    })
    page.on('response', (response) => {
      if (response.status() >= 400) faults.push(`${response.status()} ${response.url()}`)
    })
    page.on('pageerror', ({ message }) => faults.push(message))
    page.on('console', (message) => {
      if (message.type() === 'error') faults.push(message.text())
    })
    await page.goto(url + path, { waitUntil: 'networkidle' })
    return { page, faults }
  }

  it.each([
    ...written.map((path) => [path, 'light'] as const),
    ['/', 'dark'],
    ['/docs/policies.html', 'dark'],
    ['/api/querent/search.html', 'light'],
    ['/http/serve.html', 'dark'],
  ] as const)('%s, %s: asks no other host, has no errors, and axe finds nothing', async (path, scheme) => {
    const { page, faults } = await open(path, scheme)
    await page.evaluate(axe)
    const violations = await page.evaluate(async () => {
      const { axe } = globalThis as unknown as { axe: { run(options: object): Promise<Found> } }
      // The search button of VitePress shows its keys, too, which its label does not name.
      const found = await axe.run({ rules: { 'label-content-name-mismatch': { enabled: false } } })
      return found.violations.map(({ id, nodes }) => `${id}: ${nodes[0]!.html.slice(0, 200)}`)
    })
    expect(faults).toEqual([])
    expect(violations).toEqual([])
    await page.close()
  })

  it('shows what it is before anybody scrolls: headline, picture, commands and a figure', async () => {
    const { page } = await open('/')
    await page.setViewportSize({ width: 1440, height: 900 })
    for (const part of ['h1', '.first img', '.first .language-sh', '.first .figure']) {
      const box = await page.locator(part).boundingBox()
      expect(box!.y + box!.height, part).toBeLessThan(900)
    }
    // Absolute, if the site was made with the address that it will have.
    const card = await page.locator('meta[property="og:image"]').getAttribute('content')
    expect(card).toBe(`${process.env.SITE_URL?.replace(/\/$/, '') ?? ''}/card.png`)
    await page.close()
  })

  it('finds a page by its words, without a server', async () => {
    const { page, faults } = await open('/')
    await page.keyboard.press('Control+k')
    await page.getByPlaceholder('Search').fill('circuit breaker')
    await page.locator('#localsearch-list li a').first().click()
    await page.waitForURL(/\/docs\/\w+\.html/)
    expect(await page.locator('main').innerText()).toMatch(/circuit breaker/i)
    expect(faults).toEqual([])
    await page.close()
  })
})

interface Found {
  readonly violations: readonly {
    readonly id: string
    readonly nodes: readonly { readonly html: string }[]
  }[]
}
