import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { policyDigest } from '../../policies/local/policy-file/policy-digest.ts'
import type { PolicyFile } from '../../policies/local/policy-file/policy-file.ts'
import { policyText, writePolicy } from '../../policies/local/policy-file/policy-store.ts'
import { shippedPath } from '../../policies/local/shipped.ts'
import { startChatReplay } from '../../scripts/chat-replay.mjs'
import { runToEnd } from '../support/run-to-end.ts'
import { sampleFolder, smallPolicy } from '../support/small-policy.ts'
import { decisionBy } from '../support/small-scorers.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = (...argv: readonly string[]) => runToEnd(argv)

/** An index of the sample, and a policy's file. */
async function world() {
  const folder = await temporaryFolder()
  const [index, file] = [join(folder, 'index'), join(folder, 'policy.json')]
  await run('index', sampleFolder, '--out', index)
  await writePolicy(file, await smallPolicy())
  return { folder, index, file }
}

const question = 'Who was born first, the director of The Seventh Seal or the director of Rear Window?'

describe("a policy's file", () => {
  it("stands where a policy's name does", async () => {
    const { index, file } = await world()
    const searching = ['search', question, '--index', index, '--policy', file, '--json', '--trace']
    const { status, output } = await run(...searching)
    expect(status).toBe(0)
    const { trace, hits } = JSON.parse(output)
    expect(trace).toMatchObject({ policy: 'local', partial: false })
    expect(trace.steps.map(({ type }: { type: string }) => type)).toContain('rerank')
    expect(hits[0].fused).toBeDefined()
  })

  it('leaves the fused order with --no-rerank', async () => {
    const { index, file } = await world()
    const { output } = await run(
      ...['search', question, '--index', index, '--policy', file, '--no-rerank', '--json', '--trace'],
    )
    const { trace, hits } = JSON.parse(output)
    expect(trace.steps.some(({ type }: { type: string }) => type === 'rerank')).toBe(false)
    for (const [place, hit] of hits.entries()) expect(hit.rank).toBe(place + 1)
    expect(hits[0].fused).toBeUndefined()
  })

  it('re-ranks after another policy with --rerank, in the configuration file too', async () => {
    const { folder, index, file } = await world()
    const config = join(folder, 'querent.json')
    await writeFile(config, JSON.stringify({ index, policy: 'none', rerank: file }))
    for (const flags of [
      ['--index', index, '--policy', 'none', '--rerank', file],
      ['--config', config],
    ]) {
      const { output } = await run('search', question, ...flags, '--json', '--trace')
      const { trace, hits } = JSON.parse(output)
      expect(trace).toMatchObject({ policy: 'none', kind: 'as-is' })
      expect(hits[0].fused).toBeDefined()
    }
  })

  it('looks up more beside what a language model asks, and explains by its rewrite', async () => {
    const { index, file } = await world()
    const replay = await startChatReplay({ files: [join(sampleFolder, 'rewrites.jsonl')] })
    try {
      const flags = ['--index', index, '--policy', 'acqo', '--rerank', file, '--chat-url', replay.url]
      const split = 'Which is older, the Forth Bridge or the Brooklyn Bridge?'
      const { trace } = JSON.parse((await run('search', split, ...flags, '--json', '--trace')).output)
      expect(trace).toMatchObject({ policy: 'acqo', kind: 'decompose', partial: false })
      const asked = [
        'Forth Bridge opening date year completed',
        'Brooklyn Bridge opening date year completed',
      ]
      expect(trace.subQueries.map(({ text }: { text: string }) => text)).toEqual(asked)
      const [, second] = trace.steps.filter(({ type }: { type: string }) => type === 'retrieve')
      expect(second.legs.length).toBeGreaterThan(2)
      const { output } = await run('explain', split, ...flags)
      expect(output).not.toContain('undefined')

      const rewritten = 'Which opera is catalogued as K. 620?'
      const explained = JSON.parse((await run('explain', rewritten, ...flags, '--json')).output)
      const step = explained.trace.steps.find(({ type }: { type: string }) => type === 'rerank')
      expect(step.question).toBe('Mozart opera K. 620 Köchel catalogue The Magic Flute')
      const [first] = explained.hits
      expect(first.reranked.score).toBeCloseTo(first.score, 6)
    } finally {
      await replay.close()
    }
  })

  it('explains no re-ranking where the search fell back', async () => {
    const { index, file } = await world()
    const flags = ['--index', index, '--policy', 'acqo', '--rerank', file, '--chat-url', 'http://127.0.0.1:9']
    const { output, errors } = await run('explain', question, ...flags, '--json')
    expect(errors).toContain('the results without Querent')
    for (const hit of JSON.parse(output).hits) expect(hit.reranked).toBeUndefined()
  })

  it('is asked for a re-ranking in vain where it has none', async () => {
    const { folder, index } = await world()
    const { rerank: _, digest: __, ...rest } = await smallPolicy()
    const bare = join(folder, 'bare.json')
    await writePolicy(bare, { ...rest, digest: policyDigest(rest) })
    for (const name of [bare, 'acqo']) {
      const { status, errors } = await run(
        'search',
        'x',
        '--index',
        index,
        '--policy',
        'none',
        '--rerank',
        name,
      )
      expect(status).toBe(2)
      expect(errors).toContain(`The policy ${name} has no re-ranking`)
    }
  })

  it('is explained: what was weighed, and what moved each hit', async () => {
    const { index, file } = await world()
    const { digest: _, ...policy } = await smallPolicy()
    const searching = {
      ...policy,
      decision: decisionBy({ 'plan: names and bridges': 0.1, 'plan: parts': -1 }),
    }
    await writePolicy(file, { ...searching, digest: policyDigest(searching) })
    const flags = ['--index', index, '--policy', file]
    const short = (await run('explain', question, ...flags)).output
    expect(short).toMatch(
      /\nSplit: \d searches beside your words, by the policy local \(names and bridges: \+10\.0 points expected/,
    )
    expect(short).toMatch(/\nRe-ranking read \d+ documents and moved \d+ of the 10 hits; the first hit /)

    const { output } = await run('explain', question, ...flags, '-k', '3', '--verbose')
    expect(output).toMatch(/\nlocal: split, re-ranked \(names and bridges: /)
    expect(output).toMatch(/\n +\+10\.0 {2}names and bridges: your words \+ "Seventh Seal" \+ /)
    expect(output).toMatch(/\n +−100\.0 {2}parts: your words \+ "/)
    expect(output).toMatch(/\n +\+8\.00 {2}plan: names and bridges\n/)
    expect(output).toMatch(
      /\n1\. \S+ {2}.*\n {3}re-ranked to -?[\d.]+: relevant by itself [\d.]+ %, beside the other hits [+−][\d.]+\n {5}[+−][\d.]+ {2}/,
    )
    expect(output).toMatch(/\n {3}fused at rank \d+, fused score [\d.]+/)

    const { output: json } = await run(
      ...['explain', question, '--index', index, '--policy', file, '-k', '20', '--json'],
    )
    const { hits } = JSON.parse(json)
    for (const { score, fused, recomputed, reranked, contributions } of hits) {
      expect(reranked.score).toBe(score)
      expect(contributions.length).toBeGreaterThan(0)
      // What no voting list has was not fused.
      if (fused === undefined) expect(recomputed).toBeUndefined()
      else expect(recomputed).toBeCloseTo(fused.score, 12)
    }
  })

  it('is said to have been trained for other retrievers, where it was', async () => {
    const { index, file } = await world()
    const { errors } = await run('search', question, '--index', index, '--policy', file)
    expect(errors).not.toContain('was trained for')
    const other = `${file}.dense.json`
    const { digest: _, ...policy } = await smallPolicy()
    const origin = { collection: 'vectors', queries: 20, judgements: 'a'.repeat(64), corpus: 'c' }
    const dense = { ...policy, trainedOn: [{ ...origin, retrievers: ['dense'] }] }
    await writePolicy(other, { ...dense, digest: policyDigest(dense) })
    for (const flags of [
      ['--policy', other],
      ['--policy', 'none', '--rerank', other],
    ]) {
      const { status, errors } = await run('search', question, '--index', index, ...flags)
      expect([status, errors]).toEqual([0, expect.stringMatching(/dense .*bm25/)])
    }
  })

  it('is measured beside others: left alone, second stages, sub-queries, time of re-ranking', async () => {
    const { index, file } = await world()
    const { status, output } = await run(
      ...['compare', sampleFolder, '--index', index, '--policies', `none,${file}`, '--reranks', 'own,none'],
      ...['--metrics', 'recall@5'],
    )
    expect(status).toBe(0)
    // A policy without re-ranking of its own is one system, whatever follows it.
    expect(output).toContain('none · its own re-ranking')
    expect(output).toMatch(
      /p50 \/ p95 .*\nre-ranking, p50 .*\ndecisions .*\nyour words alone .*\none request .*\nsearches per query /,
    )
    expect(output).toMatch(/\nyour words alone +100\.0 % /)
  })
})

describe("a policy's file that cannot be used", async () => {
  const policy = await smallPolicy()
  const text = policyText(policy)
  const decision = policy.decision!
  const [gain, ...others] = decision.gains
  const renamed = { ...gain!, inputs: ['phase of the moon', ...gain!.inputs.slice(1)] }
  const signed = (changed: object): string =>
    policyText({ ...changed, digest: policyDigest(changed as PolicyFile) } as PolicyFile)

  it.each([
    ['cut', text.slice(0, -100), 'was cut'],
    ['edited', text.replace('"seed":1', '"seed":2'), 'was changed after it was written'],
    ['too new', signed({ ...policy, version: 99 }), 'newer Querent (version 99)'],
    ['too old', signed({ ...policy, version: 1 }), 'older Querent (version 1)'],
    [
      'made for other features',
      signed({ ...policy, decision: { ...decision, gains: [renamed, ...others] } }),
      'phase of the moon',
    ],
  ])('%s: every command says so, names it and what to do, and searches nothing', async (_, content, what) => {
    const { folder, index } = await world()
    const path = join(folder, 'mine.json')
    await writeFile(path, content)
    for (const argv of [
      ['search', 'x', '--index', index, '--policy', path],
      ['explain', 'x', '--index', index, '--policy', 'none', '--rerank', path],
      ['evaluate', 'nowhere', '--index', 'nowhere', '--policy', path],
      ['compare', 'nowhere', '--index', 'nowhere', '--policies', `none,${path}`],
    ]) {
      const { status, output, errors } = await run(...argv)
      expect([status, output]).toEqual([1, ''])
      expect(errors).toContain(path)
      expect(errors).toContain(what)
      expect(errors).toMatch(/querent train|this version|Update Querent/)
    }
  })

  it('not there: as much', async () => {
    const { status, errors } = await run('search', 'x', '--index', 'nowhere', '--policy', './mine.json')
    expect([status, errors]).toEqual([1, expect.stringContaining('./mine.json')])
  })
})

it('the default is the policy that is shipped', async () => {
  const { index } = await world()
  const { digest } = JSON.parse(await readFile(shippedPath('bm25'), 'utf8'))
  expect(digest).toHaveLength(64)
  const { output } = await run('search', question, '--index', index, '--json', '--trace')
  expect(JSON.parse(output).trace).toMatchObject({ policy: 'local' })
  const named = await run('search', question, '--index', index, '--policy', 'local', '--json', '--trace')
  expect(JSON.parse(named.output).hits).toEqual(JSON.parse(output).hits)
})
