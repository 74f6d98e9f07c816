/** What leaves the house: only texts that a body returns or searches, and none that it excludes. */
import fc from 'fast-check'
import { describe, expect, it, onTestFinished } from 'vitest'
import { isObject, type JsonObject, listOf } from '../../../../adapters/apps/drop-in/parse/json.ts'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { createProxy } from '../../../../adapters/apps/proxy/proxy.ts'
import { openaiChat } from '../../../../adapters/models/openai.ts'
import { httpReranker } from '../../../../adapters/rerank/http.ts'
import { llmReranker } from '../../../../adapters/rerank/llm.ts'
import { officialClients } from '../../../engines/official-clients.ts'
import { completion, startChatServer } from '../../../support/chat-server.ts'
import { answerOf, capsOf } from '../../../support/fake-engine.ts'
import { fuzzRuns } from '../../../support/fuzz-runs.ts'
import { type RecordedRequest, startRecordingServer } from '../../../support/recording-server.ts'
import { leaving, patient } from '../../../support/scripted-policy.ts'
import { cohere, startRerankServer, textsOf } from '../../rerank/rerank-server.ts'
import { headers, isMsearch, linesOf } from '../clients/client-server.ts'

/** Every text says which field it is of. `all` is copied from `salary`, and `title.english` from `title`. */
const source = {
  title: 'of-title',
  text: 'of-text',
  body: 'of-body',
  salary: 'of-salary, which is a text of more than forty letters',
  user: { bio: 'of-bio', name: 'of-name' },
}
const copied = { all: source.salary, 'title.english': source.title }
const leaves = [...['title', 'text', 'body', 'salary'], ...['user.bio', 'user.name']]
const textOf = (name: string): string | undefined =>
  copied[name as 'all'] ??
  (name.split('.').reduce<unknown>((at, key) => (at as JsonObject)?.[key], source) as string)

const fits = (patterns: unknown, name: string): boolean =>
  listOf(patterns ?? []).some((pattern) =>
    new RegExp(`^${String(pattern).replaceAll('.', '\\.').replaceAll('*', '.*')}(\\..*)?$`).test(name),
  )

/** The names of the fields that are in the `_source` of an answer. */
function namesOf({ stored_fields: stored, _source: wanted = stored === undefined }: JsonObject): string[] {
  if (wanted === false) return []
  const { includes = [], excludes } = isObject(wanted) ? wanted : { includes: wanted === true ? '*' : wanted }
  const all = listOf(includes).length > 0 ? includes : '*'
  return leaves.filter((name) => fits(all, name) && !fits(excludes, name))
}

function hitOf(id: string, body: JsonObject): JsonObject {
  const nested: Record<string, unknown> = {}
  for (const name of namesOf(body)) {
    const [first = '', second] = name.split('.')
    nested[first] =
      second === undefined ? textOf(name) : { ...(nested[first] as object), [second]: textOf(name) }
  }
  const asked = listOf(body.fields ?? []).map(String)
  const named = [...leaves, ...Object.keys(copied)].filter((name) => asked.some((one) => fits([one], name)))
  const fields = Object.fromEntries(named.map((name) => [name, [textOf(name)]]))
  return {
    ...{ _index: 'works', _id: id, _score: 2 },
    ...(namesOf(body).length > 0 && { _source: nested }),
    ...(named.length > 0 && { fields }),
    ...(body.highlight !== undefined && { highlight: { salary: ['<em>of-salary</em>'] } }),
  }
}

/** Finds two documents for whatever is searched. */
function engine(request: RecordedRequest) {
  const url = new URLSearchParams(request.path.split('?')[1])
  const caps = capsOf({ path: '', url: { fields: url.get('fields') } }).body
  if (request.path.includes('_field_caps')) return { headers, body: JSON.stringify(caps) }
  const list = (name: string) => url.get(name)?.split(',')
  const [includes, excludes] = [list('_source_includes'), list('_source_excludes')]
  const ofUrl = includes || excludes ? { _source: { includes: includes ?? ['*'], excludes } } : {}
  const answer = (body: JsonObject) => answerOf(['a', 'b'].map((id) => hitOf(id, { ...body, ...ofUrl })))
  const lines = linesOf(request)
  if (!isMsearch(request)) return { headers, body: JSON.stringify(answer(lines[0]!)) }
  const responses = lines.filter((_, at) => at % 2 === 1).map((body) => ({ ...answer(body), status: 200 }))
  return { headers, body: JSON.stringify({ took: 1, responses }) }
}

/** An engine and a re-ranker. Tells what the re-ranker was sent. */
async function house() {
  const upstream = await startRecordingServer(engine)
  const server = await startRerankServer(cohere(() => 1))
  onTestFinished(() => upstream.close())
  const options = { ...patient, policy: leaving, rerank: httpReranker({ url: server.url }) } as AppOptions
  const sent = () => [...new Set(server.requests.flatMap(textsOf))].join(' | ')
  return { upstream, server, options, sent }
}

async function proxied(options: AppOptions, target: string): Promise<string> {
  const proxy = await createProxy({ ...options, target, explain: true })
  onTestFinished(() => proxy.close())
  return proxy.listen(0)
}

async function ask(url: string, body: JsonObject, parameters = '') {
  const answer = await fetch(`${url}/works/_search${parameters}`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-querent-explain': 'header' },
    body: JSON.stringify(body),
  })
  return { body: (await answer.json()) as JsonObject, status: answer.headers.get('x-querent') }
}

const inTitle = { query: { match: { title: 'which bridge' } } }
const inBoth = { query: { multi_match: { query: 'which bridge', fields: ['title^1', 'text'] } } }
const inBio = { query: { match: { 'user.bio': 'which bridge' } } }
const inAll = { query: { match: { all: 'which bridge' } } }
const anywhere = { query: { query_string: { query: 'which bridge' } } }

describe('a re-ranker on another machine is sent', () => {
  it.each<readonly [string, JsonObject, string, string]>([
    ['what the body returns', inTitle, '', 'of-title\nof-text of-body'],
    [
      'nothing that is excluded',
      { ...inTitle, _source: { excludes: ['text', 'bo*', 'sal*'] } },
      '',
      'of-title',
    ],
    ['nothing that the URL excludes', inBoth, '?_source_excludes=te*,body,salary', 'of-title'],
    [
      'nothing that an excluded object has',
      { ...inBio, _source: { excludes: ['user', 'text'] } },
      '',
      'of-title\nof-body',
    ],
    [
      'nothing that an excluded text is copied to',
      { ...inAll, fields: ['*'], _source: { excludes: ['salary'] } },
      '',
      'of-title\nof-text of-body',
    ],
    ['what is searched, without `_source`', { ...inBoth, _source: false }, '', 'of-title\nof-text'],
    ['what is searched or listed', { ...inBio, _source: ['ti*'] }, '', 'of-title\nof-bio'],
    ['what the URL lists', inTitle, '?_source_includes=body', 'of-title\nof-body'],
    [
      'multi-fields',
      { query: { match: { 'title.english': 'which bridge' } }, _source: false },
      '',
      'of-title',
    ],
    ['`fields`', { ...inTitle, _source: false, fields: ['body'] }, '', 'of-title\nof-body'],
    ['stored and doc values alone', { ...inBio, stored_fields: ['x'], docvalue_fields: ['y'] }, '', 'of-bio'],
    [
      'nothing for a highlight',
      { ...inBoth, _source: { excludes: ['*'] }, highlight: { fields: { salary: {} } } },
      '',
      '',
    ],
    [
      'what a highlighted search returns',
      { ...inBoth, _source: { excludes: ['text'] }, highlight: { fields: { salary: {} } } },
      '',
      'of-title\nof-body',
    ],
    ['what a text in all fields may be in', { ...anywhere, _source: false }, '', 'of-title\nof-text of-body'],
  ])('%s', async (_, body, parameters, expected) => {
    const { upstream, options, sent } = await house()
    const answer = await ask(await proxied(options, upstream.url), body, parameters)
    for (const document of sent().split(' | '))
      expect(document.replace(/\s+/g, ' ').split(' ').sort()).toEqual(expected.split(/\s/).sort())
    if (expected === '') expect(answer.status).toMatch(/^unchanged: .*no texts/)
    else expect(answer.status).toMatch(/^unchanged: .*re-ranking kept the order$/)
  })

  it('what the body around a marked place searches', async () => {
    const { upstream, options, sent } = await house()
    const url = await proxied(options, upstream.url)
    await fetch(`${url}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-querent-query': 'which%20bridge' },
      body: JSON.stringify({ query: { match: { text: { query: '{{query}}' } } }, _source: ['year'] }),
    })
    expect(sent()).toBe('of-text')
  })

  it.each(officialClients)('nothing that is excluded, by a wrapped $name', async (official) => {
    const { upstream, options, sent } = await house()
    const client = official.wrap(official.connect(upstream.url), options)
    const body = { ...inBoth, _source: { excludes: ['text', 'body', 'salary'] } }
    await client.search('works', body)
    await client.msearch([{ index: 'works' }, body, { index: 'works' }, { ...inTitle, _source: false }])
    expect(sent()).toBe('of-title')
  })

  it('nothing that is excluded, where it is a language model', async () => {
    const { upstream, options } = await house()
    const chat = await startChatServer(() => completion('[2] > [1]'))
    onTestFinished(() => chat.close())
    const rerank = llmReranker({ chat: openaiChat({ baseUrl: chat.url, model: 'm' }) })
    const url = await proxied({ ...options, rerank }, upstream.url)
    await ask(url, { ...inTitle, _source: { excludes: ['salary', 'body'] } })
    const prompts = JSON.stringify(chat.requests)
    expect(prompts).toContain('of-text')
    expect(prompts).not.toMatch(/of-(body|salary)/)
  })
})

describe('whatever a body excludes', () => {
  const names = [...leaves, 'all', 'title.english', 'user', '*', 't*', 'user.*', 's*y']
  const some = fc.subarray(names, { maxLength: 3 })
  const bodies = fc.record(
    {
      _source: fc.oneof(fc.boolean(), some, fc.record({ includes: some, excludes: some })),
      fields: some,
      stored_fields: fc.constant(['shelf']),
      highlight: fc.constant({ fields: { salary: {} } }),
      query: fc.oneof(
        fc
          .constantFrom(...leaves, ...Object.keys(copied))
          .map((name) => ({ match: { [name]: 'which bridge' } })),
        some.map((fields) => ({ multi_match: { query: 'which bridge', fields: ['text', ...fields] } })),
      ),
    },
    { requiredKeys: ['query'] },
  )

  it('is not read', { timeout: 300_000 }, async () => {
    const { upstream, options } = await house()
    let seen: string[] = []
    const rerank = {
      rerank(
        _query: unknown,
        _lists: unknown,
        fused: readonly { docid: string }[],
        documentOf: (docid: string) => unknown,
      ) {
        seen.push(...fused.map(({ docid }) => JSON.stringify(documentOf(docid) ?? '')))
        return fused
      },
    } as AppOptions['rerank']
    const url = await proxied({ ...options, rerank }, upstream.url)
    await fc.assert(
      fc.asyncProperty(bodies, async (body) => {
        seen = []
        await ask(url, body)
        const { _source: wanted, fields, query } = body
        const excluded = isObject(wanted) ? wanted.excludes : []
        const searched = JSON.stringify(query)
        for (const name of leaves) {
          const isMeant =
            namesOf(body).includes(name) ||
            fits(fields, name) ||
            searched.includes(name.split('.').at(-1)!) ||
            /\*|"all"|user/.test(searched + JSON.stringify(fields))
          if (fits(excluded, name) || !isMeant) expect(seen.join()).not.toContain(textOf(name)!.slice(0, 8))
        }
      }),
      { numRuns: Math.min(fuzzRuns, 500) },
    )
  })
})
