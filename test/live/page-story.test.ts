/** The page in a real browser: what comes first, what moves, what fails in plain sight, and what the browser keeps. */
import { setTimeout } from 'node:timers/promises'
import { describe, expect, it, onTestFinished } from 'vitest'
import type { SearchAnswer } from '../../adapters/apps/http/answer.ts'
import { openaiChat } from '../../adapters/models/openai.ts'
import { acqo } from '../../policies/acqo/acqo.ts'
import { mmoa } from '../../policies/mmoa-rag/mmoa.ts'
import type { Policy } from '../../src/policy.ts'
import type { Reranker } from '../../src/reranker.ts'
import { findBrowser } from '../support/browser.ts'
import { completion, startChatServer } from '../support/chat-server.ts'
import { deferred } from '../support/held.ts'
import { findings, over, useBrowser } from '../support/page-browser.ts'
import { deciding } from '../support/scripted-policy.ts'
import { servedPage } from '../support/served-page.ts'

const executablePath = await findBrowser()
const split = deciding(['the last letters'])

/** Never decides. */
const stuck: Policy = { ...split, run: () => new Promise(() => {}) }

/** Counts the rows that an animation moves. */
const countAnimated = `
  const { animate } = Element.prototype
  window.animated = 0
  Element.prototype.animate = function (...given) { window.animated++; return animate.apply(this, given) }`

/** Notes, by the page's own clock, when the first list and the result have come, and when the first hit stands in the page. */
const noteTimes = `
  const { read } = ReadableStreamDefaultReader.prototype
  window.times = {}
  const note = (name) => { window.times[name] ??= performance.now() }
  ReadableStreamDefaultReader.prototype.read = async function () {
    const chunk = await read.call(this)
    for (const type of ['leg', 'result']) if (String(chunk.value).includes('"type":"' + type + '"')) note(type)
    return chunk
  }
  new MutationObserver(() => document.querySelector('article[aria-busy=true] .after .hit') && note('hit'))
    .observe(document, { childList: true, subtree: true })`

describe.skipIf(executablePath === undefined)('the story of a search (needs chromium)', () => {
  const open = useBrowser(executablePath!)

  // Once more if the machine did other work between the two moments, which are a few milliseconds apart.
  it('shows the results of the words 50 ms after they came, while a model takes 3 s', {
    retry: 2,
  }, async () => {
    let ms = 0
    const server = await startChatServer(() => ({
      ...completion('{"query": "the last letters"}'),
      after: setTimeout(ms),
    }))
    onTestFinished(() => server.close())
    const chat = openaiChat({ baseUrl: server.url, model: 'm' })
    const { url } = await servedPage({
      policy: acqo(),
      chat,
      budget: { askTimeout: 30_000, timeout: 60_000 },
    })
    const { page } = await open(`${url}?q=when`)
    await over(page, 'when')
    ms = 3000
    await page.evaluate(noteTimes)
    await page.getByLabel('Query').fill('who')
    await page.keyboard.press('Enter')
    await page.locator('h2', { hasText: 'Your words found 12 documents' }).waitFor()
    expect(await page.locator('.after .hit h4').first().innerText()).toBe('Letter A')
    await over(page, 'who')
    expect(await page.locator('.after .hit h4').first().innerText()).toBe('Letter L')
    const times = await page.evaluate<Record<'leg' | 'hit' | 'result', number>>('window.times')
    expect(times.hit - times.leg).toBeLessThan(50)
    // The model has been under way since before the first list came.
    expect(times.result - times.hit).toBeGreaterThan(2000)
  })

  it.each(['no-preference', 'reduce'] as const)(
    'moves the results of the words to where they belong (motion: %s)',
    async (reducedMotion) => {
      const decided = deferred()
      const policy: Policy = {
        ...split,
        budget: { timeout: 60_000 },
        async run(query, tools) {
          await decided.promise
          return split.run(query, tools)
        },
      }
      const { url } = await servedPage({ policy })
      const { page, complaints } = await open(url, { reducedMotion })
      await page.evaluate(countAnimated)
      await page.getByLabel('Query').fill('who')
      await page.keyboard.press('Enter')
      await page.locator('.after .hit').first().waitFor()
      decided.resolve()
      await over(page, 'who')
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

  it('names scores for what they are, and says why a less probable hit stands above', async () => {
    const reranker: Reranker = {
      rerank: (_query, _lists, [first]) => [
        { docid: 'l', rank: 1, score: -7.799, confidence: 0.03 },
        { ...first!, rank: 2, score: -8.5, confidence: 0.08, fused: { rank: 1, score: first!.score } },
      ],
    }
    const policy: Policy = {
      name: 'reranking',
      run: async (_query, tools) => ({
        hits: await tools.rerank(reranker, tools.fuse(await tools.original())),
      }),
    }
    const { url } = await servedPage({ policy })
    const { page } = await open(`${url}?q=who`)
    await over(page, 'who')
    for (const title of await page.locator('.title').all()) await title.click()
    const [brought, fused] = await page.locator('.why > p').allInnerTexts()
    // The fused list has 10 documents, of which the 12th is none.
    expect(brought).toBe(
      "l The re-ranker's score is -7.799. Seen by itself it is relevant with 3 %; the order comes from comparing it with the others.",
    )
    expect(fused).toMatch(
      /^a Rank 1 with the fused score 1\. The re-ranker's score is -8\.5\. Seen by itself .* 8 %;/,
    )
  })

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

  it.each([
    ['the page', { viewport: { width: 720, height: 450 }, deviceScaleFactor: 2 }, ''],
    ['its text alone', { viewport: { width: 1440, height: 900 } }, 'html { font-size: 200% }'],
  ])('can be used with %s at 200 %', async (_, options, style) => {
    const { url } = await servedPage({ policy: split })
    const { page, complaints } = await open(`${url}?q=who+wrote+it`, options)
    await over(page, 'who wrote it')
    // Playwright's own style would need a policy of content that allows it.
    await page.evaluate(
      `document.adoptedStyleSheets = [new CSSStyleSheet()]; document.adoptedStyleSheets[0].replaceSync('${style}')`,
    )
    await page.locator('.title').first().click()
    const { width } = options.viewport
    expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    const outside = await page.locator('input, button, summary, h2, .after li').evaluateAll(
      (all, width) =>
        all
          .map((one) => ({ html: one.outerHTML, ...one.getBoundingClientRect().toJSON() }))
          .filter(({ left, right }) => left < 0 || right > width)
          .map(({ html }) => html),
      width,
    )
    expect(outside).toEqual([])
    expect(await findings(page)).toEqual([])
    expect(complaints).toEqual([])
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
