/** The page in a real browser: what it shows, with keys alone, in the dark and on a phone, without a complaint. */
import { readFileSync } from 'node:fs'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createInterface } from 'node:readline'
import { strFromU8, unzipSync } from 'fflate'
import type { BrowserContextOptions, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest'
import { playgroundHandler } from '../../adapters/apps/http/fetch.ts'
import { startServer } from '../../adapters/apps/http/node-server.ts'
import { runCli } from '../../src/cli/run-cli.ts'
import { createOptimizer } from '../../src/optimizer.ts'
import type { Policy } from '../../src/policy.ts'
import { findBrowser } from '../support/browser.ts'
import { settled } from '../support/manual-clock.ts'
import { findings, over, useBrowser } from '../support/page-browser.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { scriptedRetriever } from '../support/scripted.ts'
import { ended as endOf, spawnCli } from '../support/spawn-cli.ts'
import { testTerminal } from '../support/test-terminal.ts'

const executablePath = await findBrowser()
const split = 'Was the author of Dracula born in the same city as the author of Ulysses?'
const queries = readFileSync('src/sample/queries.jsonl', 'utf8')
  .trim()
  .split('\n')
  .map((line): string => JSON.parse(line).text)

/** Runs in the page, because a wait from outside takes longer than a search. Returns how many searches had hits. */
const searchAll = `async (texts) => {
  const frame = () => new Promise(requestAnimationFrame)
  const input = document.querySelector('input')
  const isOver = (text) =>
    document.querySelector('h1')?.textContent === text &&
    document.querySelector('article')?.getAttribute('aria-busy') === 'false'
  let done = 0
  for (const text of texts) {
    input.value = text
    input.dispatchEvent(new Event('input', { bubbles: true }))
    // A person needs longer than that from the last letter to Enter.
    await frame()
    input.form.requestSubmit()
    while (!isOver(text)) await frame()
    done += document.querySelectorAll('.hit').length > 0 ? 1 : 0
  }
  return done
}`

/** The page of an application whose policy answers questions, and how often it was asked. */
async function servedPage() {
  const docids = ['a', 'b', 'c']
  const policy: Policy = {
    name: 'answering',
    reads: false,
    async run(_query, tools) {
      return { hits: tools.fuse(await tools.original()), answer: 'It was b.', citations: ['b'] }
    },
  }
  const optimizer = createOptimizer({
    retrievers: [scriptedRetriever({ found: { who: docids, when: docids } })],
    policy,
  })
  const handle = playgroundHandler({ optimizer })
  let searches = 0
  const server = await startServer(
    (request) => {
      if (request.method === 'POST') searches++
      return handle(request)
    },
    { port: 0 },
  )
  onTestFinished(() => server.close())
  return { url: `${server.url}/playground`, searches: () => searches }
}

describe.skipIf(executablePath === undefined)(
  'the page in a browser (needs chromium: apt-get install chromium)',
  () => {
    const openPage = useBrowser(executablePath!)
    let url: string
    let folder: string
    let index: string
    const stop = new AbortController()
    let ended: Promise<unknown>
    const open = (address = '', options: BrowserContextOptions = {}) => openPage(`${url}${address}`, options)

    beforeAll(async () => {
      folder = await mkdtemp(join(tmpdir(), 'querent-'))
      index = join(folder, 'index')
      expect((await runToEnd(['index', 'src/sample', '--out', index])).status).toBe(0)
      const terminal = testTerminal({ signal: stop.signal })
      ended = runCli(['serve', '--index', index, '--port', '0'], terminal)
      const address = () => /open (\S+)/.exec(terminal.errors())?.[1]
      while (address() === undefined) await settled()
      url = address()!
    })

    afterAll(async () => {
      stop.abort()
      await ended
      await rm(folder, { recursive: true, force: true })
    })

    it('shows a decided and explained search 30 seconds after `querent serve --sample`, without an index', async () => {
      const start = performance.now()
      const temporary = join(folder, 'temporary')
      await mkdir(temporary)
      const child = spawnCli(['serve', '--sample', '--port', '0'], { TMPDIR: temporary })
      const end = endOf(child)
      onTestFinished(() => void child.kill('SIGKILL'))
      let address: string | undefined
      for await (const line of createInterface({ input: child.stderr })) {
        address = /^A first search: (\S+)$/.exec(line)?.[1]
        if (address !== undefined) break
      }
      const { page, complaints } = await openPage(address!, { viewport: { width: 1440, height: 900 } })
      await page.locator('article[aria-busy=false] h2', { hasText: 'Querent brings all 4.' }).waitFor()
      const seconds = (performance.now() - start) / 1000
      expect(seconds).toBeLessThan(30)
      expect(await page.locator('.reason').innerText()).toContain('which come with the sample,')
      expect(await page.locator('.searches h3').innerText()).toMatch(/\b15 more at once$/)
      expect(await page.locator('.searches .number').first().innerText()).toMatch(/^\d+ hits$/)
      // Eight hits and what was searched need no scrolling.
      for (const place of ['.hit:nth-child(8)', '.copy']) {
        const { y, height } = (await page.locator(place).boundingBox())!
        expect(y + height).toBeLessThan(900)
      }
      expect(complaints).toEqual([])
      child.kill('SIGTERM')
      expect((await end).status).toBe(0)
      expect(await readdir(temporary)).toEqual([])
    })

    it.each([
      ['light', 1280],
      ['dark', 360],
    ] as const)(
      'in the %s, %d pixels wide: all of a search, and axe finds nothing',
      async (colorScheme, width) => {
        const options = { colorScheme, viewport: { width, height: 900 } }
        for (const address of ['', '&beside=none', '&view=judge']) {
          const { page, complaints } = await open(`?q=${encodeURIComponent(split)}${address}`, options)
          await over(page, split)
          await page.locator('details').evaluateAll((all) => {
            for (const details of all) details.setAttribute('open', '')
          })
          await page.locator('.hit:first-child .title').click()
          await page.locator('.searches button').nth(1).click()
          expect(await findings(page)).toEqual([])
          expect(complaints).toEqual([])
          expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
          expect(await page.locator('.hit').count()).toBe(10)
          expect(await page.locator('h2').innerText()).toMatch(/^4 of the first 5 results are new\.$/)
        }
      },
    )

    it('begins with an explanation, and axe finds nothing in it', async () => {
      const { page, complaints } = await open()
      expect(await page.locator('h2').innerText()).toContain('what your words alone would have found')
      expect(await findings(page)).toEqual([])
      expect(complaints).toEqual([])
    })

    it('is used with keys alone', async () => {
      const { page } = await open()
      const { keyboard } = page
      await page.locator('input:focus').waitFor()
      await keyboard.type(split)
      await keyboard.press('Enter')
      await over(page, split)
      expect(new URL(page.url()).searchParams.get('q')).toBe(split)
      // To the title of the first hit, whatever lies between.
      const focused = () => page.evaluate('document.activeElement.className')
      for (let presses = 0; (await focused()) !== 'title'; presses++) {
        expect(presses).toBeLessThan(20)
        await keyboard.press('Tab')
      }
      await keyboard.press('Enter')
      const first = page.locator('.hit').first()
      const shares = await first
        .locator('tbody tr')
        .evaluateAll((rows) => rows.map((row) => Number.parseFloat(row.lastElementChild!.textContent!)))
      // Each of them is rounded.
      expect(Math.abs(shares.reduce((sum, share) => sum + share, 0) - 100)).toBeLessThan(shares.length)
      expect(await first.locator('.marks [role=img]').first().getAttribute('aria-label')).toMatch(
        /^found by /,
      )
    })

    it('a conversation is asked with the query, and the way back shows the search before', async () => {
      const { page } = await open('?q=Dracula')
      await over(page, 'Dracula')
      await page.getByText('Options').click()
      await page.getByText('Earlier turns').click()
      await page.getByRole('button', { name: 'Add a turn' }).click()
      await page.getByLabel('Turn 1', { exact: true }).fill('Who wrote Dracula?')
      await page.getByLabel('Query').fill('Where was he born?')
      const sent = page.waitForRequest((request) => request.method() === 'POST')
      await page.getByRole('button', { name: 'Search' }).click()
      expect((await sent).postDataJSON()).toEqual({
        text: 'Where was he born?',
        k: 10,
        history: [{ role: 'user', text: 'Who wrote Dracula?' }],
        explain: true,
      })
      await over(page, 'Where was he born?')
      await page.goBack()
      await over(page, 'Dracula')
    })

    it('hits are judged with keys, the browser keeps that, and evaluate reads what it saves', async () => {
      const { page, complaints } = await open(`?q=${encodeURIComponent(split)}&view=judge`)
      await over(page, split)
      const docids = await page
        .locator('.hit')
        .evaluateAll((all) => all.map((hit) => hit.getAttribute('data-docid')))
      const { keyboard } = page
      await page.locator('.judge [data-grade="1"]').first().focus()
      await keyboard.press('Enter')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      await keyboard.press('Tab')
      await keyboard.press('ArrowDown')
      await keyboard.press('Space')
      const bar = page.locator('.judgments')
      expect(await bar.locator('p').innerText()).toBe('3 judgments of 1 query.')
      await keyboard.press('ArrowDown')
      await keyboard.press('Enter')
      expect(await bar.locator('p').innerText()).toBe('4 judgments of 1 query.')
      await keyboard.press('Control+z')
      expect(await bar.locator('p').innerText()).toBe('3 judgments of 1 query.')

      await page.reload()
      await over(page, split)
      const pressed = page.locator('.judge [aria-pressed=true]')
      expect(await pressed.allInnerTexts()).toEqual(['✓ Relevant', '✓ Relevant', '✗ Not relevant'])
      expect(await page.locator('h2').innerText()).toMatch(/^You judged 2 documents relevant\./)
      expect(await findings(page)).toEqual([])

      const saved = page.waitForEvent('download')
      await page.getByRole('button', { name: 'Save' }).click()
      const zip = unzipSync(await readFile(await (await saved).path()))
      for (const [name, bytes] of Object.entries(zip)) {
        await mkdir(dirname(join(folder, name)), { recursive: true })
        await writeFile(join(folder, name), bytes)
      }
      const judged = join(folder, 'judgments')
      expect(strFromU8(zip['judgments/queries.jsonl']!)).toContain(JSON.stringify(split))
      const rows = strFromU8(zip['judgments/qrels/test.tsv']!).trim().split('\n').slice(1)
      expect(rows.map((row) => row.split('\t').slice(1))).toEqual([
        [docids[0], '1'],
        [docids[1], '1'],
        [docids[2], '0'],
      ])
      const evaluated = await runToEnd([
        'evaluate',
        judged,
        '--index',
        index,
        '--metrics',
        'recall@2',
        '--json',
      ])
      expect(JSON.parse(evaluated.output)).toMatchObject({ queries: 1, metrics: { 'recall@2': 1 } })
      expect(complaints).toEqual([])
    })

    it('a click on a citation goes to the hit, and searches nothing again', async () => {
      const { url, searches } = await servedPage()
      const { page } = await openPage(`${url}?q=who`)
      await over(page, 'who')
      for (let clicks = 0; clicks < 2; clicks++) await page.locator('.citations a').click()
      await page.locator('.hit:target', { hasText: 'b' }).waitFor()
      await page.goBack()
      await over(page, 'who')
      expect(searches()).toBe(1)

      await page.getByLabel('Query').fill('when')
      await page.getByRole('button', { name: 'Search' }).click()
      await over(page, 'when')
      await page.goBack()
      await over(page, 'who')
      expect(searches()).toBe(3)
    })

    it('Undo takes back what this tab did, and leaves what others have judged', async () => {
      const { url } = await servedPage()
      const { page: one } = await openPage(`${url}?q=who&view=judge`)
      const other = await one.context().newPage()
      await other.goto(`${url}?q=who&view=judge`)
      const judge = (page: Page, place: number) => page.locator('.judge [data-grade="1"]').nth(place).click()
      const judged = (page: Page, text: string) => page.locator('.judgments p', { hasText: text }).waitFor()
      const undo = (page: Page) => page.getByRole('button', { name: 'Undo' }).click()
      await judge(one, 0)
      await judged(other, '1 judgment of 1 query.')
      await judge(other, 1)
      await judged(one, '2 judgments of 1 query.')
      await undo(one)
      for (const page of [one, other]) await judged(page, '1 judgment of 1 query.')
      expect(await other.locator('.judge [aria-pressed=true]').getAttribute('aria-label')).toBe(
        'b is relevant',
      )

      await one.getByRole('button', { name: 'Clear' }).click()
      await judged(other, '0 judgments')
      await judge(other, 2)
      await judged(one, '1 judgment of 1 query.')
      await undo(one)
      await judged(other, '2 judgments of 1 query.')
    })

    it('opens although something else was kept in the place of its judgments', async () => {
      const { url } = await servedPage()
      const { page, complaints } = await openPage(`${url}?q=who&view=judge`)
      await over(page, 'who')
      await page.evaluate(`localStorage.setItem('querent judgments /playground', '{"a":1}')`)
      await page.reload()
      await over(page, 'who')
      await page.locator('.judge [data-grade="1"]').first().click()
      await page.locator('.judgments p', { hasText: '1 judgment of 1 query.' }).waitFor()
      expect(complaints).toEqual([])
    })

    it('200 searches, one after the other, without a complaint', async () => {
      const { page, complaints } = await open()
      const texts = Array.from({ length: 200 }, (_, at) => `${queries[at % queries.length]} ${at}`)
      const done = await page.evaluate(`(${searchAll})(${JSON.stringify(texts)})`)
      expect(done).toBe(200)
      expect(complaints).toEqual([])
    })
  },
)
