import { expect, it } from 'vitest'
import { searchInput } from '../../../../adapters/apps/agents/tool-schemas.ts'

const { safeParse } = searchInput({ maxHits: 50, filter: false })
const messagesOf = (input: unknown) => safeParse(input).error?.issues.map(({ message }) => message)

const long = 'y'.repeat(10_001)

it.each([
  ['query', { query: long }],
  ['intent', { query: 'x', intent: long }],
  ['turn', { query: 'x', conversation: [{ role: 'user', text: long }] }],
])('says of a %s that it is too long', (_, input) =>
  expect(messagesOf(input)).toEqual(['must have 10000 characters at most']),
)

it.each([
  ['query', { query: 1 }],
  ['intent', { query: 'x', intent: 1 }],
  ['turn', { query: 'x', conversation: [{ role: 'user', text: 1 }] }],
])('says of a %s that it is no text', (_, input) => expect(messagesOf(input)).toEqual(['must be text']))
