/** The command line as a user types it: the built program, the sample collection, real pipes and signals. */
import { execFile } from 'node:child_process'
import { on } from 'node:events'
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const sample = fileURLToPath(new URL('../../src/sample', import.meta.url))
const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const faissMissing = await loadFaissLibrary().then(
  () => '',
  (error: Error) => error.message,
)

/** The original query alone. */
const asIs = ['--policy', 'none']

/** An index of the sample collection. */
async function sampleIndex(...flags: readonly string[]) {
  const folder = await temporaryFolder()
  const index = join(folder, 'index')
  const made = await runCommand(['index', sample, '--out', index, ...flags])
  expect(made).toMatchObject({ status: 0, output: '' })
  return { folder, index, said: made.errors }
}

describe('the command line', () => {
  it('goes from documents to an answer, an explanation and a measurement', async () => {
    const { index, said } = await sampleIndex()
    expect(said).toMatch(/index: 217 documents, [\d.]+ kB, [\d.]+ m?s\n$/)

    const found = await runCommand([
      'search',
      'Which opera is catalogued as K. 620?',
      '--index',
      index,
      '-k',
      '3',
    ])
    expect(found.status).toBe(0)
    // The policy that comes with the package decides and re-ranks: which of the three is first is its to say.
    expect(found.output).toMatch(/^ {2}[123]\. The Magic Flute .*the-magic-flute/m)

    const explained = await runCommand([
      'explain',
      'Which opera is K. 620?',
      '--index',
      index,
      ...asIs,
      '-k',
      '3',
      '--json',
    ])
    for (const { score, recomputed } of JSON.parse(explained.output).hits)
      expect(recomputed).toBeCloseTo(score, 12)

    const measured = await runCommand([
      'evaluate',
      sample,
      '--index',
      index,
      ...asIs,
      '--metrics',
      'recall@5',
      '--json',
    ])
    expect(JSON.parse(measured.output)).toMatchObject({
      queries: 36,
      failures: 0,
      decisions: { 'as-is': 36 },
    })
  })

  it('writes the same run twice, byte for byte, and traces that differ in times alone', async () => {
    const { folder, index } = await sampleIndex()
    const evaluated = async (name: string) => {
      const files = ['--run', join(folder, `${name}.trec`), '--traces', join(folder, `${name}.jsonl`)]
      expect(await runCommand(['evaluate', sample, '--index', index, ...files])).toMatchObject({ status: 0 })
      const traces = await readFile(join(folder, `${name}.jsonl`), 'utf8')
      return {
        run: await readFile(join(folder, `${name}.trec`), 'utf8'),
        traces: traces.replace(
          /"(ms|startMs|total|deciding|retrieving|fusing|reranking)":[\d.e-]+/g,
          '"$1":0',
        ),
      }
    }
    const first = await evaluated('first')
    expect(first.run.split('\n').length).toBeGreaterThan(1000)
    expect(await evaluated('second')).toEqual(first)
  })

  it('goes quietly when nobody reads on', async () => {
    const { index } = await sampleIndex()
    const command = `'${process.execPath}' '${main}' search the --index '${index}' -k 100 --json | head -c 10`
    const { stdout, stderr } = await promisify(execFile)('bash', ['-o', 'pipefail', '-c', command])
    expect([stdout, stderr]).toEqual(['{\n  "hits"', ''])
  })

  it('serves on after SIGHUP, which opens the index anew', async () => {
    const { index } = await sampleIndex()
    const child = spawnCli(['serve', '--index', index, '--port', '0', ...asIs])
    const result = ended(child)
    let said = ''
    for await (const text of on(child.stderr, 'data')) {
      if (!said.includes('Listening') && (said + text).includes('Listening')) child.kill('SIGHUP')
      said += text
      if (said.includes('searches now cover 217 documents')) break
    }
    child.kill('SIGTERM')
    expect(await result).toMatchObject({ status: 0, output: '' })
  })

  it('trains a policy, judges such a one on a page, and searches with it', async () => {
    const { folder, index } = await sampleIndex()
    const [policy, page] = [join(folder, 'policy.json'), join(folder, 'report.html')]
    const training = ['train', sample, '--index', index, '--out', policy]
    const trained = await runCommand([...training, '--report', page])
    expect(trained).toMatchObject({ status: 0, output: '' })
    expect(trained.errors).toContain(`Wrote the report: ${page}`)
    expect(await readFile(page, 'utf8')).toContain('<title>without Querent, local, trained on sample</title>')
    const found = await runCommand(['search', 'Which opera is K. 620?', '--index', index, '--policy', policy])
    expect(found.status).toBe(0)
    expect(found.errors).toMatch(/^local: /m)
  })

  it('ends a training with Ctrl-C and keeps nothing of it', async () => {
    const { folder, index } = await sampleIndex()
    const child = spawnCli(['train', sample, '--index', index, '--out', join(folder, 'policy.json')])
    let said = ''
    child.stderr.on('data', (part) => {
      said += String(part)
      if (!child.killed && /with \d+ relevant/.test(said)) child.kill('SIGINT')
    })
    const { status, errors } = await ended(child)
    expect([status, errors]).toEqual([130, expect.stringContaining('Stopped.')])
    expect((await readdir(folder)).filter((name) => name.startsWith('policy.json'))).toEqual([])
  })
})

describe.skipIf(faissMissing !== '')(
  `the command line with vectors (needs faiss-node: ${faissMissing})`,
  () => {
    it('indexes and searches words and vectors with the default model', async () => {
      const { index } = await sampleIndex('--dense')
      const argv = ['search', 'Which opera is catalogued as K. 620?', '--index', index, '--json', '--trace']
      const { output } = await runCommand(argv)
      const { hits, trace } = JSON.parse(output)
      expect(hits[0]).toMatchObject({ docid: 'the-magic-flute' })
      expect(trace.steps[0].legs.map(({ retriever }: { retriever: string }) => retriever)).toEqual([
        'bm25',
        'dense',
      ])
      const dense = JSON.parse((await runCommand([...argv, '--retrievers', 'dense'])).output)
      expect(dense.trace.steps[0].legs).toHaveLength(1)
    })

    it.each(['SIGINT', 'SIGTERM'] as const)(
      'stops cleanly at %s while it embeds, and goes on from there',
      async (signal) => {
        const folder = await temporaryFolder()
        const index = join(folder, 'index')
        await runCommand(['index', sample, '--out', index])
        let requests = 0
        // The first request asks for the size of vectors, the second embeds a batch that is kept.
        const server = await startOpenAIServer({
          beforeEmbedding: () => void (++requests === 3 && child.kill(signal)),
        })
        const env = { OPENAI_BASE_URL: server.url }
        const argv = ['index', sample, '--out', index, '--dense', '--model', 'openai:scripted']
        const child = spawnCli(argv, env)
        const { status, errors } = await ended(child)
        expect(status).toBe(130)
        expect(errors).toContain('The vectors so far are kept')
        expect(await runCommand(['search', 'opera', '--index', index])).toMatchObject({ status: 0 })

        const before = new Set(server.embedded)
        expect(before.size).toBeGreaterThan(32)
        expect(await runCommand(argv, env)).toMatchObject({ status: 0 })
        // The batch that was under way may have been sent and not written down.
        const corpusTexts = server.embedded.filter((text) => text !== 'dimensions')
        expect(corpusTexts.length - 217).toBeLessThanOrEqual(32)
        expect(new Set(corpusTexts).size).toBe(217)
      },
    )
  },
)
