/** Every protocol has the rewards of the paper, which were worked out as exact fractions outside of this project. */
import { expect, it } from 'vitest'
import { fraction, golden } from '../../../../support/golden.ts'
import { scriptedRetriever } from '../../../../support/scripted.ts'
import { answer, type TestServer, testServer } from '../opened.ts'
import { episode } from './episode.ts'

interface Case {
  readonly completion: string
  readonly gold: readonly string[]
  readonly options: object
  readonly reward: number
}

const { rewardSum, stage2Bonus, stage1SubsetMax, formatFail } = golden.acqo
const found: Record<string, readonly string[]> = {}

/** The search of a list with the relevant documents at these ranks. */
function searchOf(ranks: readonly (number | null)[]): Pick<Case, 'completion' | 'gold'> {
  const text = `ranks ${ranks.map((rank) => rank ?? 'none').join(' ')}`
  const gold = ranks.map((_, index) => `gold-${index}`)
  found[text] = Array.from({ length: 160 }, (_, place) => {
    const index = ranks.indexOf(place + 1)
    return index < 0 ? `other-${place}` : gold[index]!
  })
  return { completion: answer(text), gold }
}

const cases: readonly Case[] = [
  ...rewardSum.flatMap(({ ranks, eta, etaStart1, etaStart0 }) =>
    ([1, 0] as const).map((etaStart) => ({
      ...searchOf(ranks),
      options: { eta: fraction(eta), etaStart },
      reward: fraction(etaStart === 1 ? etaStart1 : etaStart0),
    })),
  ),
  // The profile of TopiOCQA.
  ...stage2Bonus.map(({ ranks, expected, eta, lambda, kStar }) => ({
    ...searchOf(ranks),
    options: { eta, lambda, kStar },
    reward: expected,
  })),
  ...stage1SubsetMax.flatMap(({ lists, gold, eta, stage1, stage2 }, at) => {
    const texts = lists.map((list, place) => {
      found[`lists ${at} ${place}`] = list.map(({ id }) => id)
      return `lists ${at} ${place}`
    })
    return [stage1, stage2].map((expected, stage) => ({
      completion: answer(...texts),
      gold,
      options: { eta: fraction(eta), stage: stage + 1 },
      reward: fraction(expected),
    }))
  }),
  { completion: 'no', gold: ['a'], options: { delta: formatFail.delta }, reward: formatFail.expected },
]

type Post = TestServer['post']
const protocols: Readonly<Record<string, (post: Post, given: Case) => Promise<number>>> = {
  async '/v1/reward'(post, { completion, gold, options }) {
    const items = [{ completion, ground_truth: gold, options }]
    return (await post('/v1/reward', { items })).body.results[0].score
  },
  async '/openrlhf'(post, { completion, gold, options }) {
    const labels = [JSON.stringify({ gold, options })]
    return (await post('/openrlhf', { query: [completion], labels })).body.rewards[0]
  },
  async '/slime'(post, { completion, gold, options }) {
    return (await post('/slime', { response: completion, label: JSON.stringify({ gold, options }) })).body
  },
  async '/verify'(post, { completion, gold, options }) {
    const message = { type: 'message', content: [{ type: 'output_text', text: completion }] }
    const row = { responses_create_params: { input: [] }, ground_truth: gold, options }
    return (await post('/verify', { ...row, response: { output: [message] } })).body.reward
  },
}

it.each(Object.keys(protocols))('%s', async (path) => {
  const { post } = await testServer({ retrievers: [scriptedRetriever({ found })] })
  expect(cases.length).toBeGreaterThan(45)
  for (const given of cases)
    expect(await protocols[path]!(post, given), JSON.stringify(given)).toBeCloseTo(given.reward, 6)
})

it('the Open Reward Standard, by the settings of the server', async () => {
  const searches = cases.filter(({ completion }) => completion !== 'no')
  for (const { completion, gold, options, reward } of searches) {
    const server = await testServer({
      retrievers: [scriptedRetriever({ found })],
      queries: [{ qid: 'q', text: 'the question' }],
      qrels: new Map([['q', new Map(gold.map((docid) => [docid, 1]))]]),
      defaults: options,
    })
    const { submit } = await episode(server, 'rewrite')
    const { query } = JSON.parse(completion)
    const { output } = await submit({ queries: query.split(' %% ') })
    expect(output.reward, JSON.stringify({ completion, options })).toBeCloseTo(reward, 6)
    await server.close()
  }
})
