/** What callers of the proxy read about a failure: its code and what that means, and never what a backend wrote. */
import { expect, it } from 'vitest'
import { QuerentError } from '../../../../src/errors.ts'
import { answerOf, found } from '../../../support/fake-engine.ts'
import { proxyBefore } from '../../../support/proxy-before.ts'
import { deciding } from '../../../support/scripted-policy.ts'

const chatFailed = new QuerentError(
  'chat-failed',
  'Chat model "m" at 10.1.2.3:8000 answered 401 Incorrect API key provided: of organization canary',
)
const failing = { name: 'failing', run: () => Promise.reject(chatFailed) }
const search = JSON.stringify({ query: { match: { text: 'who built the bridge' } } })

it.each([
  ['a policy', failing, '/works/_search', search, 'failed: chat-failed: The chat server gave no answer.'],
  [
    'a policy, of an _msearch',
    failing,
    '/works/_msearch',
    `{}\n${search}\n`,
    'failed: chat-failed: The chat server gave no answer.',
  ],
  [
    'a leg',
    deciding(['one', 'two']),
    '/works/_search',
    search,
    "unchanged: hits may be missing, ResponseError: An error that is not Querent's.",
  ],
] as const)('of %s', async (_, policy, path, body, said) => {
  const { url } = await proxyBefore(
    ({ path, body: sent }) => {
      const isOwn = String(sent).includes('who built the bridge')
      const answer = isOwn ? answerOf(found('a', 'b')) : { error: 'canary is ill', status: 500 }
      const whole = path.includes('_msearch') ? { responses: isOwn ? [answer] : [answer, answer] } : answer
      return { headers: ['content-type', 'application/json'], body: JSON.stringify(whole) }
    },
    { policy },
  )
  const response = await fetch(url + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-querent-explain': 'true' },
    body,
  })
  const text = await response.text()
  expect(response.headers.get('x-querent')).toBe(said)
  expect(text).toContain('"_querent"')
  expect(text).not.toMatch(/canary|10\.1/)
})
