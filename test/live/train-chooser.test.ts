/** `querent rollouts`, then `querent train --rollouts`, then a search with what was learned: with agents on a chat server. */
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { startChatServer } from '../support/chat-server.ts'
import { questionOf, routingAgents, writeRoutingWorld } from '../support/routing-world.ts'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

async function world() {
  const folder = await temporaryFolder()
  await writeRoutingWorld(folder)
  const work = await temporaryFolder()
  const path = (name: string): string => join(work, name)
  const server = await startChatServer(routingAgents())
  onTestFinished(() => server.close())
  const chat = ['--chat-url', server.url, '--chat-model', 'scripted', '--set', 'chatRetries=0']
  const querent = (...argv: readonly string[]) => runToEnd(argv)
  expect((await querent('index', folder, '--out', path('index'))).status).toBe(0)
  return { folder, path, querent, indexed: ['--index', path('index'), ...chat] }
}

it('a chooser learns which questions need a plan, and saves the prompt', async () => {
  const { folder, path, querent, indexed } = await world()
  const out = path('rollouts.jsonl')
  const rolled = await querent(
    'rollouts',
    folder,
    '--policy',
    'c3po',
    '--set',
    'maxRounds=2',
    '--out',
    out,
    ...indexed,
  )
  expect(rolled.errors).toContain('24 queries')
  // A prompt costs enough for one search to be better than a plan where both find the answer.
  const argv = ['train', folder, '--rollouts', out, '--set', 'cost=0.05', '--out', path('chooser.json')]
  const trained = await querent(...argv)
  expect(trained.errors).toContain('stands in for c3po/router. It learned from 24 queries.')
  expect(trained.status).toBe(0)
  const again = await querent(...argv, '--json')
  expect(JSON.parse(again.output)).toMatchObject({
    prompt: 'c3po/router',
    choices: ['[No Retrieval]', '[Planning]', '[Retrieval]'],
    queries: 24,
    unknown: 0,
  })

  const search = ['--policy', 'c3po', '--chooser', path('chooser.json'), '--json', ...indexed]
  const promptsOf = async (text: string): Promise<string[]> => {
    const { output, errors } = await querent('explain', text, ...search)
    expect(errors).toBe('')
    const { trace } = JSON.parse(output)
    return trace.steps.flatMap((step: { type: string; prompt: string }) =>
      step.type === 'ask' ? step.prompt : [],
    )
  }
  expect(await promptsOf(questionOf(2))).toEqual(['c3po/filter', 'c3po/answer'])
  expect(await promptsOf(questionOf(3))).toContain('c3po/plan')
})
