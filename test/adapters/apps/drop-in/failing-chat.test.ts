/** What a search through the proxy costs, and says, while the chat server of its policy is down, slow or limits its rate. */
import { describe, expect, it, onTestFinished } from 'vitest'
import type { AppOptions } from '../../../../adapters/apps/drop-in/run/settings.ts'
import { openaiChat } from '../../../../adapters/models/openai.ts'
import type { SearchReport } from '../../../../src/observe.ts'
import { completion, type Reply, startChatServer } from '../../../support/chat-server.ts'
import { expectError } from '../../../support/expect-error.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { proxyBefore } from '../../../support/proxy-before.ts'

async function searching(reply: () => Reply, options: AppOptions = {}) {
  const server = await startChatServer(reply)
  onTestFinished(() => server.close())
  const reports: SearchReport[] = []
  const { url } = await proxyBefore(
    ({ path }) => ({
      headers: ['content-type', 'application/json'],
      body: JSON.stringify(
        path.includes('_field_caps')
          ? { fields: { text: { text: { type: 'text' } } } }
          : path.includes('_msearch')
            ? { responses: [answerOf(found('c'))] }
            : answerOf(found('a', 'b')),
      ),
    }),
    {
      policy: 'acqo',
      chat: openaiChat({ baseUrl: server.url, model: 'scripted' }),
      observe: { onSearch: (report) => void reports.push(report) },
      ...options,
    },
  )
  async function search(words = 'who built the bridge') {
    const response = await fetch(`${url}/works/_search`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', 'x-querent-explain': 'true' },
      body: JSON.stringify({ query: { match: { text: words } } }),
    })
    const body = (await response.json()) as { readonly _querent: Readonly<Record<string, unknown>> }
    return { said: response.headers.get('x-querent'), about: body._querent, report: reports.at(-1)! }
  }
  return { server, search }
}

const limited = (seconds: number): Reply => ({
  status: 429,
  headers: { 'retry-after': String(seconds) },
  body: { error: { message: 'slowly' } },
})

describe('a chat server', () => {
  it('that asks for a longer wait than the prompt has fails the search at once, by its name', async () => {
    const { server, search } = await searching(() => limited(10))
    const { said, about, report } = await search()
    expect(said).toMatch(/^failed: rate-limited: .*429/)
    expect(about.fallback).toMatchObject({ code: 'rate-limited' })
    expect(report.trace!.fallback!.message).toMatch(/429 .*\b10 s/)
    expect(server.requests).toHaveLength(1)
  })

  it('that never answers costs five searches their prompt, and the next ones nothing', async () => {
    const { server, search } = await searching(() => 'hang', { chatTimeout: 200 })
    for (let place = 1; place <= 5; place++)
      expect((await search(`bridge ${place}`)).said).toMatch(/^failed: deadline/)
    const { said, report } = await search('another bridge')
    expect(said).toMatch(/^failed: unavailable/)
    expect(report.trace!.fallback!.message).toContain('200 ms')
    expect(server.requests).toHaveLength(5)
  })

  it('that fails a policy which goes on is named in the header, the body and to observers', async () => {
    const { search } = await searching(() => limited(10), { policy: 'mmoa' })
    const { said, about, report } = await search()
    const reason = 'no other words would find more; went on without mmoa/rewrite, mmoa/select (rate-limited)'
    expect(said).toBe(`unchanged: ${reason}`)
    expect(about.outcome).toEqual({ kind: 'unchanged', reason })
    expect(report.outcome).toEqual({ kind: 'unchanged', reason })
  })

  it('that fails leaves the decision to the local policy, if that is wanted', async () => {
    let reply = limited(10)
    const { search } = await searching(() => reply, { fallback: 'local', workers: 0 })
    const { said, about, report } = await search()
    expect(said).toMatch(/^unchanged/)
    expect(about.reason).toMatch(/^acqo failed \(rate-limited\), local decided: /)
    expect(report.trace!.fallback).toBeUndefined()
    reply = completion('{"query": "bridge builder"}')
    expect((await search('who built that bridge')).about).toMatchObject({ decision: 'rewrite' })
  })
})

it('another word than local and none is refused', async () => {
  await expectError(
    searching(() => limited(1), { fallback: 'mine' as 'local' }),
    'bad-config',
  )
})
