/** What `querent export` makes of the answers of a model that traces recorded: a filter of queries, and examples to imitate. */
import { createService } from '../../../adapters/apps/reward-server/service.ts'
import { checkedZone } from '../../../policies/acqo/rewards.ts'
import { QuerentError } from '../../errors.ts'
import type { OpenedIndex } from '../../index-folder/open.ts'
import { readTraces } from '../../training/data/read-traces.ts'
import { type Example, sft, sftRow } from '../../training/export/formats.ts'
import { rejectionSample } from '../../training/export/rejection.ts'
import { type Selection, selectExamples } from '../../training/export/select-examples.ts'
import type { ServedRewardOptions } from '../../training/rewards/reward.ts'
import type { RolloutScorer } from '../../training/rewards/scorer.ts'
import type { Qrels } from '../../types.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

/** Whether ACQO's data filter is on. */
export const isFiltered = ({ tauMin, tauMax, keepHardest }: SettingsOf<'export'>): boolean =>
  [tauMin, tauMax, keepHardest].some((one) => one !== undefined)

/** Whether the export needs recorded answers, and an index to price them. */
export const needsAnswers = (settings: SettingsOf<'export'>): boolean =>
  settings.to === sft || isFiltered(settings)

/** @throws QuerentError `bad-config` for a lower bound above the upper one */
export function checkFilter({ tauMin = Number.NEGATIVE_INFINITY, tauMax }: SettingsOf<'export'>): void {
  if (tauMin <= (tauMax ?? checkedZone({}).tauMax)) return
  throw new QuerentError('bad-config', '--set tauMin is above --set tauMax', {
    remedy: 'No query has such a tau. Set a higher --set tauMax, which is 5/3 where it is not given.',
  })
}

/** The rows of the file. For `sft` also how many answers were recorded. */
export interface Chosen {
  readonly rows: readonly object[]
  readonly answers?: number
  readonly malformed?: number
}

/** What the rewards of recorded answers are made from. */
export interface Answering {
  readonly settings: SettingsOf<'export'>
  readonly qrels: Qrels
  readonly defaults: ServedRewardOptions
  readonly signal: AbortSignal
}

/** The examples that the filter keeps. */
export function select(
  examples: readonly Example[],
  index: OpenedIndex,
  using: Answering,
): Promise<Selection> {
  const { settings, signal } = using
  const { tauMin, tauMax, keepHardest } = settings
  const hasZone = tauMin !== undefined || tauMax !== undefined
  return selectExamples(examples, readTraces(settings.traces!, { signal }), {
    scorer: scorerOf(index, using),
    retain: keepHardest,
    signal,
    ...(hasZone && {
      zone: { ...(tauMin !== undefined && { tauMin }), ...(tauMax !== undefined && { tauMax }) },
    }),
  })
}

function scorerOf(
  index: OpenedIndex,
  { settings: { maxSubQueries }, qrels, defaults }: Answering,
): RolloutScorer {
  return createService({
    index,
    qrels,
    defaults,
    ...(maxSubQueries !== undefined && { maxSubQueries }),
  }).scorer
}

/** The best recorded answers, as chats. */
export async function imitate(
  examples: readonly Example[],
  index: OpenedIndex,
  using: Answering,
): Promise<Chosen> {
  const { threshold, traces } = using.settings
  const { signal } = using
  const { kept, answers, malformed } = await rejectionSample(readTraces(traces!, { signal }), {
    scorer: scorerOf(index, using),
    qids: new Set(examples.map(({ qid }) => qid)),
    signal,
    ...(threshold !== undefined && { threshold }),
  })
  const rows = examples.flatMap((example) => {
    const completion = kept.get(example.qid)
    return completion === undefined ? [] : [sftRow(example, completion)]
  })
  return { rows, answers, malformed }
}
