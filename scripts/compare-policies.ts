/** Two files of a policy by how well they search, where their bytes say nothing: `train-shipped.ts --check` asks. */
import { PassThrough } from 'node:stream'
import { text } from 'node:stream/consumers'
import type { Terminal } from '../src/cli/output/terminal.ts'
import { runCli } from '../src/cli/run-cli.ts'
import type { EvaluationSummary } from '../src/evaluation/summary.ts'

/** A judged collection and what searches it. */
export interface JudgedIndex {
  readonly name: string
  readonly folder: string
  readonly index: string
  /** As `--retrievers` takes them. */
  readonly retrievers: string
}

/** nDCG@10 of both files, in points. */
export interface Figures {
  readonly collection: string
  readonly what: 'decision alone' | 're-ranked'
  readonly shipped: number
  readonly trained: number
}

const metric = 'ndcg@10'

/** So many points lie between what two processors train. */
const maxPoints = 0.3

/** @throws where an evaluation fails; what it said is on the terminal's stderr */
export async function figuresOf(
  { name, folder, index, retrievers }: JudgedIndex,
  paths: Readonly<Record<'shipped' | 'trained', string>>,
  terminal: Terminal,
): Promise<Figures[]> {
  const points = async (policy: string, flags: readonly string[]): Promise<number> => {
    const stdout = new PassThrough()
    const output = text(stdout)
    const argv = ['evaluate', folder, '--split', 'test', '--index', index, '--retrievers', retrievers]
    const status = await runCli([...argv, '--policy', policy, '--metrics', metric, '--json', ...flags], {
      ...terminal,
      stdout,
    })
    stdout.end()
    if (status !== 0) throw new Error(`${policy} cannot be evaluated on ${name}`)
    return 100 * (JSON.parse(await output) as EvaluationSummary).metrics[metric]!
  }
  const figures: Figures[] = []
  for (const [what, flags] of [
    ['decision alone', ['--no-rerank']],
    ['re-ranked', []],
  ] as const) {
    const [shipped, trained] = [await points(paths.shipped, flags), await points(paths.trained, flags)]
    figures.push({ collection: name, what, shipped, trained })
  }
  return figures
}

/** Whether all are as near to each other as those of two processors. */
export function areNear(figures: readonly Figures[]): boolean {
  return figures.every(({ shipped, trained }) => Math.abs(trained - shipped) <= maxPoints)
}

/** `scifact, re-ranked: nDCG@10 71.32 as shipped, 71.28 as trained here`, and where it is too far, that. */
export function describeFigures({ collection, what, shipped, trained }: Figures): string {
  const far = areNear([{ collection, what, shipped, trained }]) ? '' : `: more than ${maxPoints} apart`
  return `${collection}, ${what}: nDCG@10 ${shipped.toFixed(2)} as shipped, ${trained.toFixed(2)} as trained here${far}`
}
