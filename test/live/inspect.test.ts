/** The page before a proxy in a real browser, with an engine in a process of its own behind it. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { runCli } from '../../src/cli/run-cli.ts'
import { findBrowser } from '../support/browser.ts'
import { settled } from '../support/manual-clock.ts'
import { findings, useBrowser } from '../support/page-browser.ts'
import { testTerminal } from '../support/test-terminal.ts'

const executablePath = await findBrowser()
const question = 'Was the author of Dracula born in the same city as the author of Ulysses?'

describe.skipIf(executablePath === undefined)(
  'the page of a proxy in a browser (needs chromium: apt-get install chromium)',
  () => {
    const open = useBrowser(executablePath!)
    const stop = new AbortController()
    let engine: ChildProcess
    let url: string
    let ended: Promise<unknown>

    beforeAll(async () => {
      engine = fork('test/support/quick-engine.mjs')
      const [target] = await once(engine, 'message')
      const terminal = testTerminal({ signal: stop.signal })
      ended = runCli(['proxy', '--target', target, '--inspect', '--port', '0'], terminal)
      const address = () => /open (\S+)/.exec(terminal.errors())?.[1]
      while (address() === undefined) await settled()
      url = address()!
    })

    afterAll(async () => {
      stop.abort()
      await ended
      engine.disconnect()
    })

    const send = (text: string) =>
      fetch(new URL('/works/_search', url), {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({ query: { match: { text } } }),
      }).then((response) => response.text())

    it.each([
      ['light', 1280],
      ['dark', 360],
    ] as const)(
      'in the %s, %d pixels wide: lists a search that an application sent, and explains it',
      async (colorScheme, width) => {
        const { page, complaints } = await open(url, { colorScheme, viewport: { width, height: 900 } })
        expect(await findings(page)).toEqual([])
        await send(`${question} ${width}`)
        await page.getByRole('link', { name: `${question} ${width}` }).click()
        await page.locator('.asked', { hasText: String(width) }).waitFor()
        await page.locator('.hit:first-child .title').click()
        expect(await page.locator('.hit').count()).toBe(10)
        expect(await page.locator('.hit:first-child tbody tr').count()).toBeGreaterThan(0)
        expect(await page.locator('.time .bar i').count()).toBeGreaterThan(2)
        expect(await findings(page)).toEqual([])
        expect(complaints).toEqual([])
        expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
      },
    )

    it('searches through the proxy with keys alone, and shows the documents', async () => {
      const { page, complaints } = await open(url)
      const { keyboard } = page
      await page.getByLabel('Fields').fill('text')
      await page.getByLabel('Index').fill('works')
      await page.getByLabel('Query').fill(question)
      await keyboard.press('Enter')
      await page.locator('.asked').waitFor()
      expect(await page.locator('.passage').count()).toBe(10)
      const id = new URL(page.url()).hash
      expect(await page.locator(`.recent a[href="${id}"]`).getAttribute('aria-current')).toBe('true')
      expect(complaints).toEqual([])
    })

    it('says why a search cannot be explained', async () => {
      const { page } = await open(`${url}#999999`)
      expect(await page.getByRole('alert').innerText()).toContain('no longer keeps')
    })

    it('names what it shows where a new search fails, and says which field is missing', async () => {
      const { page } = await open(url)
      await page.getByLabel('Fields').fill('text')
      await page.getByLabel('Index').fill('works')
      await page.getByLabel('Query').fill(question)
      await page.keyboard.press('Enter')
      await page.locator('.asked', { hasText: question }).waitFor()
      await page.getByLabel('Fields').fill('nofield')
      await page.getByLabel('Query').fill('another question')
      await page.keyboard.press('Enter')
      expect(await page.getByRole('alert').innerText()).toContain('nofield')
      expect(await page.locator('.old-name').innerText()).toContain('a search before')
      expect(await page.getByRole('button', { name: 'Try again' }).count()).toBe(1)
      await page.evaluate('location.hash = "#999999"')
      await page.locator('.trouble-bar', { hasText: 'no longer keeps' }).waitFor()
    })
  },
)
