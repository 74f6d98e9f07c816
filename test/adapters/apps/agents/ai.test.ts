/** The tool in the AI SDK: a model calls it, and reads what it found. */
import { generateText, stepCountIs } from 'ai'
import { MockLanguageModelV3 } from 'ai/test'
import { describe, expect, it } from 'vitest'
import { searchTool } from '../../../../adapters/apps/agents/ai.ts'
import { buildWinkBm25 } from '../../../../adapters/search/wink-bm25.ts'
import { createOptimizer } from '../../../../src/optimizer.ts'
import { expectError } from '../../../support/expect-error.ts'
import { heldRetriever } from '../../../support/held.ts'
import { scriptedRetriever } from '../../../support/scripted.ts'

const bm25 = await buildWinkBm25([
  { docid: 'dune', title: 'Dune', text: 'A novel of a desert planet, written by Frank Herbert.' },
  { docid: 'emma', title: 'Emma', text: 'A novel of a matchmaker, written by Jane Austen.' },
])
const optimizer = createOptimizer({ retrievers: [bm25] })

const usage = {
  inputTokens: { total: 1, noCache: 1, cacheRead: 0, cacheWrite: 0 },
  outputTokens: { total: 1, text: 1, reasoning: 0 },
}

/** A model that calls the tool with this input, and then answers. */
const calling = (input: object): MockLanguageModelV3 => {
  const call = {
    type: 'tool-call' as const,
    toolCallId: '1',
    toolName: 'search',
    input: JSON.stringify(input),
  }
  const results = [
    {
      content: [call],
      finishReason: { unified: 'tool-calls' as const, raw: undefined },
      usage,
      warnings: [],
    },
    {
      content: [{ type: 'text' as const, text: 'Frank Herbert.' }],
      finishReason: { unified: 'stop' as const, raw: undefined },
      usage,
      warnings: [],
    },
  ]
  let turn = 0
  return new MockLanguageModelV3({ doGenerate: async () => results[turn++]! })
}

/** The whole of a generation with the tool. */
async function generated(input: object, tool = searchTool({ optimizer, about: 'novels', maxText: 7 })) {
  const model = calling(input)
  const result = await generateText({
    model,
    prompt: 'Who wrote Dune?',
    tools: { search: tool },
    stopWhen: stepCountIs(2),
  })
  return { model, ...result, text: result.text, parts: result.steps[0]!.content }
}

describe('the tool', () => {
  it('is described to the model, called by it, and read by it', async () => {
    const { model, text, parts } = await generated({ query: 'novel', k: 1, exclude: ['emma'] })
    const [shown] = model.doGenerateCalls[0]!.tools!
    expect(shown).toMatchObject({
      name: 'search',
      description: expect.stringContaining('What is searched: novels.'),
      inputSchema: {
        properties: {
          query: { type: 'string' },
          exclude: { anyOf: [{ type: 'array' }, { type: 'null' }] },
        },
        required: ['query'],
      },
    })
    expect(parts[1]).toMatchObject({
      type: 'tool-result',
      output: { hits: [{ rank: 1, docid: 'dune', title: 'Dune', text: 'A novel' }], partial: false },
    })
    expect(JSON.stringify(model.doGenerateCalls[1]!.prompt)).toContain('"docid":"dune"')
    expect(text).toBe('Frank Herbert.')
  })

  it('takes null for an argument that a model in strict mode does not want', async () => {
    const unwanted = { k: null, conversation: null, intent: null, exclude: null, filter: null }
    const tool = searchTool({ optimizer, filter: true })
    const { parts } = await generated({ query: 'novel', ...unwanted }, tool)
    expect(parts[1]).toMatchObject({ output: { hits: [{}, {}], partial: false } })
    // Some frameworks call it without the schema.
    expect(await tool.execute({ query: 'novel', ...unwanted }, {})).toMatchObject({ hits: [{}, {}] })
  })

  it('takes numbers as text, and docids as numbers', async () => {
    const { parts } = await generated({ query: 'novel', k: '1', exclude: [17] })
    expect(parts[1]).toMatchObject({ output: { hits: [{ docid: 'emma' }] } })
  })

  it('tells the model which argument is wrong', async () => {
    const { parts } = await generated({ query: 'novel', k: 'three' })
    expect(JSON.stringify(parts)).toMatch(/tool-error/)
  })

  it('keeps the words of a backend from the model, and gives them to the program', async () => {
    const broken = createOptimizer({
      retrievers: [scriptedRetriever({ fails: new Error('password=secret was refused') })],
    })
    const { model, parts } = await generated({ query: 'novel' }, searchTool({ optimizer: broken }))
    expect(JSON.stringify(model.doGenerateCalls[1]!.prompt)).toMatch(/A search backend failed/)
    expect(JSON.stringify(model.doGenerateCalls[1]!.prompt)).not.toContain('secret')
    expect(parts[1]).toMatchObject({
      type: 'tool-error',
      error: { cause: { message: 'password=secret was refused' } },
    })
  })

  it('ends its search when the generation is aborted', async () => {
    const [user, hanging] = [new AbortController(), heldRetriever()]
    const { execute } = searchTool({ optimizer: createOptimizer({ retrievers: [hanging] }) })
    const searching = execute({ query: 'novel' }, { abortSignal: user.signal })
    await hanging.asked
    user.abort(new Error('enough'))
    await expect(searching).rejects.toThrow('enough')
  })

  it('names wrong options', () => {
    expectError(() => searchTool({ optimizer, maxHits: 0 }), 'bad-config', /searchTool: maxHits/)
  })
})
