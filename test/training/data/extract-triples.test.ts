import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readTriples } from '../../../policies/sparkle/read-triples.ts'
import { type ExtractOptions, extractTriples } from '../../../src/training/data/extract-triples.ts'
import type { ChatModel, Document, Message } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

const documents: readonly Document[] = Array.from({ length: 6 }, (_, place) => ({
  docid: `d${place}`,
  text: `Text ${place}.`,
}))

async function* corpus(of = documents): AsyncGenerator<Document> {
  yield* of
}

/** A model that answers about the text it is shown, and what it was shown. */
function modelOf(says: (text: string, signal: AbortSignal) => string | Promise<string>) {
  const seen: string[] = []
  const model: ChatModel = {
    name: 'scripted',
    async complete(messages: readonly Message[], { signal } = {}) {
      const text = /Document 1: (.*)$/.exec(messages[1]!.content)![1]!
      seen.push(text)
      return { text: await says(text, signal!), tokens: { prompt: 10, completion: 5 } }
    },
  }
  return { model, seen }
}

const { signal } = new AbortController()
const file = async (): Promise<string> => join(await temporaryFolder(), 'facts.jsonl')
const linesOf = async (path: string): Promise<unknown[]> =>
  (await readFile(path, 'utf8'))
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
const extract = (options: Partial<ExtractOptions> & Pick<ExtractOptions, 'model' | 'out'>) =>
  extractTriples(corpus(), { signal, concurrency: 1, ...options })

it('writes a line for each document, which the policy reads', async () => {
  const out = await file()
  const { model } = modelOf((text) => `Facts:\n<${text}; is; short>`)
  const done: number[] = []
  const report = await extract({ model, out, onProgress: (count) => done.push(count) })
  expect(report).toEqual({
    documents: 6,
    before: 0,
    triples: 6,
    malformed: 6,
    failed: 0,
    firstFailure: undefined,
    tokens: { prompt: 60, completion: 30 },
  })
  expect(done).toEqual([1, 2, 3, 4, 5, 6])
  const store = await readTriples(out)
  expect(await store.of([documents[2]!])).toEqual([
    { head: 'Text 2.', relation: 'is', tail: 'short', docid: 'd2' },
  ])
})

it('goes on behind what is in the file, and stops at the limit', async () => {
  const out = await file()
  const { model, seen } = modelOf((text) => `<${text}; is; short>`)
  expect(await extract({ model, out, limit: 2 })).toMatchObject({ documents: 2, before: 0 })
  // As a killed process leaves it.
  await writeFile(out, '{"docid": "d2", "tri', { flag: 'a' })
  expect(await extract({ model, out, limit: 4 })).toMatchObject({ documents: 4, before: 2, triples: 2 })
  expect(await extract({ model, out, limit: 4 })).toMatchObject({ documents: 4, before: 4, triples: 0 })
  expect(seen).toEqual(['Text 0.', 'Text 1.', 'Text 2.', 'Text 3.'])
  expect(await linesOf(out)).toMatchObject([
    { docid: 'd0' },
    { docid: 'd1' },
    { docid: 'd2' },
    { docid: 'd3' },
  ])
})

it('leaves out documents that the model fails for, and tries them again', async () => {
  const out = await file()
  const { model: poor } = modelOf((text) => (text === 'Text 3.' ? 'It is a text.' : 'none'))
  const report = await extract({ model: poor, out })
  expect(report).toMatchObject({ documents: 5, failed: 1, malformed: 0 })
  expect(report.firstFailure!.message).toContain('<head; relation; tail>')
  const { model, seen } = modelOf(() => 'none')
  expect(await extract({ model, out })).toMatchObject({ documents: 6, before: 5, failed: 0 })
  expect(seen).toEqual(['Text 3.'])
})

it('ends with the error of the model after twenty failures in a row', async () => {
  const out = await file()
  const many = Array.from({ length: 50 }, (_, place) => ({ docid: `d${place}`, text: `Text ${place}.` }))
  const { model, seen } = modelOf((text) => {
    if (text === 'Text 0.' || text === 'Text 15.') return 'none'
    throw new Error('down')
  })
  const extracting = extractTriples(corpus(many), { model, out, signal, concurrency: 1 })
  await expect(extracting).rejects.toThrow('down')
  // 15 succeeds: 16 to 35 fail.
  expect(seen).toHaveLength(36)
  expect(await linesOf(out)).toHaveLength(2)
})

it('asks about so many documents at a time, and keeps what is finished when it is stopped', async () => {
  const out = await file()
  const stop = new AbortController()
  const { model, seen } = modelOf(async (text, aborted) => {
    if (text === 'Text 0.') return 'none'
    // The third one begins when the first is done; then nothing is, until the end.
    if (text === 'Text 3.') stop.abort(new Error('Ctrl-C'))
    return new Promise((_, reject) => {
      if (aborted.aborted) reject(aborted.reason)
      aborted.addEventListener('abort', () => reject(aborted.reason))
    })
  })
  const extracting = extractTriples(corpus(), { model, out, signal: stop.signal, concurrency: 3 })
  await expect(extracting).rejects.toThrow('Ctrl-C')
  expect(seen).toEqual(['Text 0.', 'Text 1.', 'Text 2.', 'Text 3.'])
  expect(await linesOf(out)).toEqual([{ docid: 'd0', triples: [] }])
})

it.each(['{"qid": "1"}\n', '{"docid": "d0", "text": "Text 0."}\n', '{"weights": [1, 2, 3]}'])(
  'refuses a file of something else, and leaves it as it is: %j',
  async (content) => {
    const out = await file()
    await writeFile(out, content)
    const { model, seen } = modelOf(() => 'none')
    await expectError(extract({ model, out }), 'bad-config')
    expect(await readFile(out, 'utf8')).toBe(content)
    expect(seen).toEqual([])
  },
)

it('goes on with a file whose only line was cut', async () => {
  const out = await file()
  const { model } = modelOf(() => 'none')
  await extract({ model, out, limit: 1 })
  const whole = await readFile(out, 'utf8')
  for (const length of [1, 10, whole.length - 1]) {
    await writeFile(out, whole.slice(0, length))
    expect(await extract({ model, out, limit: 1 })).toMatchObject({ documents: 1, before: 0 })
    expect(await readFile(out, 'utf8')).toBe(whole)
  }
})
