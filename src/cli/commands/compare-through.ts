/**
 * `querent compare <BEIR folder> --through <proxy>`, `--target <cluster>`: what an application would get, with Querent and without
 * it. With `--target`, a proxy with these settings runs in this process.
 */
import { basename, resolve } from 'node:path'
import { createProxy } from '../../../adapters/apps/proxy/proxy.ts'
import { QuerentError } from '../../errors.ts'
import { compare, type EvaluatedSystem } from '../../evaluation/compare.ts'
import { defaultMetrics } from '../../evaluation/default-metrics.ts'
import { type Evaluation, evaluate, hitsAsked } from '../../evaluation/evaluate.ts'
import { parseMetric } from '../../evaluation/metrics.ts'
import { closeAll } from '../../runtime/close-all.ts'
import { isObject } from '../../runtime/json.ts'
import { openTargetClient, type TargetClient } from '../open/ask-target.ts'
import { metricsOfClicks, readJudged } from '../open/judged.ts'
import { prepareOptimizing } from '../open/optimizing.ts'
import { readSearchBody, searchThrough } from '../open/search-through.ts'
import { readCertificates } from '../open/setting-files.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { withProgress } from '../output/progress.ts'
import { showComparison } from '../output/show-comparison.ts'
import type { Terminal } from '../output/terminal.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, refuse, required } from '../settings/setting.ts'
import { namedVariants } from '../settings/variants.ts'

type Settings = SettingsOf<'compare'>

/** Most reasons that are printed. */
const maxReasons = 10

/** Where searches are sent. */
interface Door {
  readonly name: string
  readonly client: TargetClient
  readonly optimizes: boolean
}

export async function compareThrough(folder: string, settings: Settings, terminal: Terminal): Promise<void> {
  const { through, target, body: file, metrics: named, concurrency, report: page } = settings
  refuse(
    (through === undefined) === (target === undefined),
    'Searches must go to one place: --through or --target',
    'Name a proxy that runs, or a cluster for one that runs in this process.',
  )
  const index = required(settings, 'name')
  named?.forEach(parseMetric)
  if (page !== undefined) await checkOutputs({ '--report': page }, [folder, settings.queries, settings.qrels])
  const closing: { close(): Promise<void> }[] = []
  try {
    const client = openTargetClient((through ?? target)!, await readCertificates(settings.ca), terminal)
    closing.unshift(client)
    if (through !== undefined) await checkProxy(client)
    const body = await readSearchBody(file, client, index)
    const { queries, qrels, files } = await readJudged(folder, settings, terminal)
    const doors: readonly Door[] = [
      { name: 'without Querent', client, optimizes: false },
      ...(through === undefined
        ? await openProxies(client, settings, terminal, closing)
        : [{ name: 'with Querent', client, optimizes: true }]),
    ]
    const size = settings.k ?? body.size
    const metrics =
      named ??
      (metricsOfClicks(files, terminal) ?? defaultMetrics).filter(
        (name) => (parseMetric(name).k ?? Infinity) <= size,
      )
    const k = hitsAsked(size, metrics)
    const outcomes = new Map<string, number>()
    const evaluated = await withProgress(terminal, async (progress) => {
      const systems: EvaluatedSystem[] = []
      for (const { name, client, optimizes } of doors) {
        const search = searchThrough(client, index, body, optimizes, (outcome) => {
          const what = `${name}: ${outcome}`
          outcomes.set(what, (outcomes.get(what) ?? 0) + 1)
        })
        const before = systems.length
        const evaluation = await evaluate(search, queries, qrels, {
          ...{ k, metrics, signal: terminal.signal, ...given({ concurrency }) },
          onProgress: (done, total) =>
            progress.update('searching', before * total + done, doors.length * total),
        })
        checkKnown(evaluation, index)
        systems.push({ name, evaluation })
      }
      return systems
    })
    const setup = {
      ...{ collection: basename(resolve(folder)), split: files.split, k, depth: k },
      date: new Date().toISOString().slice(0, 10),
      settings: { searched: `${index} through ${client.origin}`, ...given({ body: file }) },
    }
    // The most frequent first.
    const told = [...outcomes].toSorted(([, one], [, other]) => other - one)
    const more = {
      json: { outcomes: Object.fromEntries(told) },
      lines: told.slice(0, maxReasons).map(([what, searches]) => `${searches} × ${what}`),
    }
    await showComparison(compare(evaluated, setup), settings, { more }, terminal)
  } finally {
    await closeAll(closing)
  }
}

/** A proxy for each system of the settings, in front of the cluster. */
async function openProxies(
  { origin }: TargetClient,
  settings: Settings,
  terminal: Terminal,
  closing: { close(): Promise<void> }[],
): Promise<Door[]> {
  const { systems } = namedVariants({ ...settings, retrievers: undefined }, 1)
  const { username, password } = new URL(settings.target!)
  const doors: Door[] = []
  for (const { name, variant } of systems) {
    const proxy = await createProxy({
      ...(await prepareOptimizing(variant, settings, terminal)),
      target: origin,
    })
    closing.unshift(proxy)
    const url = Object.assign(new URL(await proxy.listen(0)), { username, password })
    const client = openTargetClient(String(url), undefined, terminal)
    closing.unshift(client)
    doors.push({ name: name || 'with Querent', client, optimizes: true })
  }
  return doors
}

/** @throws QuerentError `bad-config` if something else answers */
async function checkProxy(client: TargetClient): Promise<void> {
  const { status, body } = await client.get('/_querent/health')
  refuse(
    status !== 200 || !isObject(body) || body.status !== 'ok',
    `${client.origin} is no proxy of Querent: it answers ${status} to GET /_querent/health`,
    'Name the address of `querent proxy`. In front of a cluster, --target runs one in this process.',
  )
}

/** @throws QuerentError `unusable-judgments` if no hit at all is judged: every figure would be 0 */
function checkKnown({ run, qrels }: Evaluation, index: string): void {
  const isKnown = [...run].some(([qid, hits]) => hits.some(({ docid }) => qrels.get(qid)?.has(docid)))
  if (isKnown) return
  throw new QuerentError('unusable-judgments', `No hit of ${index} is judged`, {
    remedy: 'Check --name and --body: the `_id` of each document must be its docid in the judgments.',
  })
}
