import { expect, it } from 'vitest'
import { readQuerentHeaders } from '../../../../adapters/apps/proxy/querent-headers.ts'

const headers = (history: unknown) => ['X-Querent-History', encodeURIComponent(JSON.stringify(history))]

it('reads a conversation as chat servers have it', () => {
  const history = ['user', 'assistant', 'agent'].map((role) => ({ role, text: 'Åse' }))
  expect(readQuerentHeaders(headers(history), false)).toMatchObject({
    history: ['user', 'agent', 'agent'].map((role) => ({ role, text: 'Åse' })),
  })
  expect(readQuerentHeaders(headers([{ role: 'system', text: '' }]), false)).toHaveProperty('reason')
})
