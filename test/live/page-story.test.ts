/** The page in a real browser: what comes first, what moves, what fails in plain sight, and what the browser keeps. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SearchAnswer } from '../../adapters/apps/http/answer.ts'
import { openaiChat } from '../../adapters/models/openai.ts'
import { mmoa } from '../../policies/mmoa-rag/mmoa.ts'
import type { Policy } from '../../src/policy.ts'
import { findBrowser } from '../support/browser.ts'
import { startChatServer } from '../support/chat-server.ts'
import { deferred } from '../support/held.ts'
import { findings, over, useBrowser } from '../support/page-browser.ts'
import { deciding } from '../support/scripted-policy.ts'
import { lettersRetriever, servedPage } from '../support/served-page.ts'

const executablePath = await findBrowser()
const split = deciding(['the last letters'])

/** Never decides. */
const stuck: Policy = { ...split, run: () => new Promise(() => {}) }

/** Notes when the first hit stands in the page, and how many rows were moved by an animation. */
const watch = `
  const { animate } = Element.prototype
  window.animated = 0
  Element.prototype.animate = function (...given) { window.animated++; return animate.apply(this, given) }
  new MutationObserver(() => {
    if (document.querySelector('article[aria-busy=true] .hit')) window.firstHit ??= Date.now()
  }).observe(document, { childList: true, subtree: true })`

describe.skipIf(executablePath === undefined)('the story of a search (needs chromium)', () => {
  const open = useBrowser(executablePath!)

  it.each(['no-preference', 'reduce'] as const)(
    'shows the results of the words at once, then moves them (motion: %s)',
    async (reducedMotion) => {
      let decided = deferred()
      let answered = 0
      const retriever = lettersRetriever(() => {
        answered = Date.now()
      })
      const policy: Policy = {
        ...split,
        budget: { timeout: 60_000 },
        async run(query, tools) {
          await decided.promise
          return split.run(query, tools)
        },
      }
      const { url } = await servedPage({ retrievers: [retriever], policy })
      const { page, complaints } = await open(url, { reducedMotion })
      await page.evaluate(watch)
      // The least of several: this machine may do other work.
      const waits: number[] = []
      for (let time = 0; time < 5; time++) {
        decided.resolve()
        await page.locator('article[aria-busy=true]').waitFor({ state: 'detached' })
        decided = deferred()
        await page.evaluate('window.firstHit = undefined')
        await page.getByLabel('Query').fill(`who ${time}`)
        await page.keyboard.press('Enter')
        await page.locator('h2', { hasText: 'Your words found 12 documents' }).waitFor()
        expect(await page.locator('.after .hit h4').first().innerText()).toBe('Letter A')
        waits.push((await page.evaluate<number>('window.firstHit')) - answered)
      }
      expect(Math.min(...waits)).toBeLessThan(50)
      decided.resolve()
      await over(page, 'who 4')
      expect(await page.locator('.after .hit h4').first().innerText()).toBe('Letter L')
      // Against the first request, wherever fusion and re-ranking had it.
      expect(await page.locator('.after .moved').first().getAttribute('aria-label')).toBe('up from rank 12')
      expect(await page.locator('.before .far').first().innerText()).toContain('Letter')
      expect(await page.locator('.lines path').count()).toBe(10)
      const animated = await page.evaluate<number>('window.animated')
      expect(reducedMotion === 'reduce' ? animated === 0 : animated > 0).toBe(true)
      expect(complaints).toEqual([])
    },
  )

  it('lights the hits of a search, unfolds a document with marked words, and copies', async () => {
    const { url } = await servedPage({ policy: split })
    const { page } = await open(`${url}?q=who+wrote+it`, {
      permissions: ['clipboard-read', 'clipboard-write'],
    })
    await over(page, 'who wrote it')
    await page.locator('.searches button').nth(1).hover()
    expect(await page.locator('.hit.lit').count()).toBe(3)
    expect(await page.locator('[data-docid=b] .passage').innerText()).toMatch(/^… .*wrote/)
    await page.locator('.title').first().click()
    const whole = page.locator('.passage.whole')
    expect(await whole.innerText()).toMatch(/^The letter l was found first\..*in the end\.$/)
    expect(await whole.locator('mark').allInnerTexts()).toEqual(['letter', 'wrote'])
    expect(await page.locator('.why').innerText()).toContain('The score is')
    await page.getByRole('button', { name: 'curl' }).click()
    const copied = await page.evaluate<string>('navigator.clipboard.readText()')
    expect(copied).toContain(`curl '${url}'`)
    expect(copied).toContain('"text":"who wrote it"')
  })

  it.each([
    ['404', { status: 404, body: { error: { message: 'no such model' } } }],
    ['429', { status: 429, body: { error: { message: 'too many' } } }],
    ['garbage', { body: '<html>' }],
    ['nothing', { body: '' }],
  ])('a model that answers %s is no success', async (_, reply) => {
    const server = await startChatServer(() => reply)
    onTestFinished(() => server.close())
    const chat = openaiChat({ baseUrl: server.url, model: 'm', retries: 0, breaker: false })
    const { url } = await servedPage({ policy: mmoa(), chat })
    const { page } = await open(`${url}?q=who`)
    await over(page, 'who')
    const alert = await page.getByRole('alert').innerText()
    expect(alert).toContain('No answer: 3 of 3 prompts failed')
    expect(alert).toContain('Try again')
    expect(await page.locator('.ask.trouble').count()).toBe(3)
    expect(await page.locator('h2').innerText()).not.toContain('new')
    const response = await fetch(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ text: 'who' }),
    })
    const answer = (await response.json()) as SearchAnswer
    expect(answer.failedPrompts?.map(({ prompt }) => prompt)).toEqual([
      'mmoa/rewrite',
      'mmoa/select',
      'mmoa/answer',
    ])
  })

  it('says what the answer was read from, where nothing was re-ranked', async () => {
    const policy: Policy = {
      name: 'answering',
      async run(_query, tools) {
        const legs = await tools.original()
        return { hits: tools.fuse(legs, { first: ['c'] }), answer: 'It was c.', citations: ['c'] }
      },
    }
    const { url } = await servedPage({ policy })
    const { page } = await open(`${url}?q=who`)
    await over(page, 'who')
    expect(await page.locator('.after h3').innerText()).toContain('what the answer was read from comes first')
    expect(await page.locator('.citations').innerText()).toContain('Letter C')
  })

  it('Escape stops a search, and keeps the words and what has come', async () => {
    const { url } = await servedPage({ policy: stuck })
    const { page } = await open(url)
    await page.getByLabel('Query').fill('who')
    await page.keyboard.press('Enter')
    await page.locator('.after .hit').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.trouble-bar.stopped').waitFor()
    expect(await page.getByLabel('Query').inputValue()).toBe('who')
    expect(await page.locator('.hit').count()).toBe(10)
    expect(await page.locator('h2').innerText()).toBe('These are the results of your words alone.')
  })

  it('names old results where a new search fails, and tries again', async () => {
    let isDown = false
    const { url } = await servedPage({}, { fails: () => isDown })
    const { page } = await open(`${url}?q=who`)
    await over(page, 'who')
    isDown = true
    await page.getByLabel('Query').fill('when')
    await page.keyboard.press('Enter')
    expect(await page.getByRole('alert').innerText()).toContain('It failed. A test. Wait.')
    expect(await page.locator('.old-name').innerText()).toContain('who')
    expect(await page.locator('.old .hit').count()).toBe(10)
    expect(await findings(page)).toEqual([])
    isDown = false
    await page.getByRole('button', { name: 'Try again' }).click()
    await page.locator('article h2').waitFor()
    await over(page, 'when')
    expect(await page.locator('.old, .trouble-bar').count()).toBe(0)
  })

  it('goes back to the turns of a conversation, and keeps them and the view when reloaded', async () => {
    const { url, asked } = await servedPage()
    const { page } = await open(`${url}?q=before`)
    await over(page, 'before')
    await page.getByText('Options').click()
    await page.getByText('Earlier turns').click()
    await page.getByRole('button', { name: 'Add a turn' }).click()
    await page.getByLabel('Turn 1', { exact: true }).fill('Who wrote Dracula?')
    await page.getByLabel('Query').fill('where')
    await page.getByRole('button', { name: 'Search' }).click()
    await over(page, 'where')
    await page.getByRole('button', { name: 'List' }).click()
    expect(new URL(page.url()).search).toBe('?q=where&view=list')
    await page.getByLabel('Query').fill('after')
    await page.keyboard.press('Enter')
    await over(page, 'after')
    await page.goBack()
    await over(page, 'where')
    await page.reload()
    await over(page, 'where')
    const history = [{ role: 'user', text: 'Who wrote Dracula?' }]
    expect(asked.map((one) => (one as { history?: unknown }).history)).toEqual([
      undefined,
      ...Array.from({ length: 4 }, () => history),
    ])
    expect(await page.locator('.turns').innerText()).toContain('Who wrote Dracula?')
    expect(await page.locator('.before').count()).toBe(0)
  })

  it('compares at once, clears, reaches the field with a slash, and remembers queries', async () => {
    const { url, asked } = await servedPage({ policy: split })
    const { page } = await open(`${url}?q=who`)
    await over(page, 'who')
    expect(await page.evaluate('document.activeElement.id')).not.toBe('query')
    await page.getByText('Options').click()
    await page.getByLabel('Compare with').selectOption('none')
    await page.locator('.after h3', { hasText: 'With “deciding”' }).waitFor()
    await over(page, 'who')
    expect(new URL(page.url()).search).toBe('?q=who&beside=none')
    expect(asked.length).toBe(3)
    await page.locator('.title').first().focus()
    await page.keyboard.press('/')
    expect(await page.evaluate('document.activeElement.id')).toBe('query')
    await page.getByLabel('Query').fill('')
    await page.keyboard.press('Enter')
    await page.locator('.welcome').waitFor()
    expect(new URL(page.url()).search).toBe('')
    await page.locator('.welcome a', { hasText: 'who' }).click()
    await over(page, 'who')
  })

  it('has one list on a phone, and a switch', async () => {
    const { url } = await servedPage({ policy: split })
    const { page } = await open(`${url}?q=who`, { viewport: { width: 390, height: 844 } })
    await over(page, 'who')
    const lists = () => Promise.all(['.before', '.after'].map((one) => page.locator(one).isVisible()))
    expect(await lists()).toEqual([false, true])
    expect(await page.locator('.after .moved').first().innerText()).toBe('▲ 11 from 12')
    await page.getByRole('button', { name: 'Before', exact: true }).click()
    expect(await lists()).toEqual([true, false])
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(390)
  })

  it('keeps marks and bars in forced colors, and the judgments at the foot of a short page', async () => {
    const { url } = await servedPage({ policy: split })
    const { page } = await open(`${url}?q=who&view=judge`, { forcedColors: 'active' })
    await over(page, 'who')
    const colors = await page.evaluate<string[]>(
      `[...document.querySelectorAll('.searches .mark, .bar i')].map((one) => getComputedStyle(one).backgroundColor)`,
    )
    expect(colors.length).toBeGreaterThan(3)
    const canvas = await page.evaluate<string>('getComputedStyle(document.body).backgroundColor')
    expect(colors).not.toContain(canvas)
    await page.locator('.judge button').first().focus()
    await page.keyboard.press('y')
    expect(await page.locator('.judge [aria-pressed=true]').first().innerText()).toContain('Relevant')
    await page.goto(url)
    const { y, height } = (await page.locator('.judgments').boundingBox())!
    expect(Math.round(y + height)).toBe(await page.evaluate('innerHeight'))
  })
})
