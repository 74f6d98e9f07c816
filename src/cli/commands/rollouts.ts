import { basename, resolve } from 'node:path'
import { readTriples } from '../../../policies/sparkle/read-triples.ts'
import { QuerentError } from '../../errors.ts'
import { readAnswers } from '../../evaluation/answers.ts'
import { rolloutsNamed } from '../../training/rollouts/by-name.ts'
import { type RolloutsReport, writeRollouts } from '../../training/rollouts/write-rollouts.ts'
import { checkSearched, openSettingsIndex } from '../open/build-search.ts'
import { readTrainingSplit } from '../open/judged.ts'
import { allFailed, resumable } from '../open/resumable.ts'
import { rewardOptionsOf, rolloutModelsOf } from '../open/rollout-models.ts'
import { readTemplate } from '../open/setting-files.ts'
import { checkOut } from '../output/output-paths.ts'
import { tell } from '../output/terminal.ts'
import { count, queryCount } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { given, required } from '../settings/setting.ts'

/** `querent rollouts <BEIR folder> --policy c3po --index <dir> --out rollouts.jsonl` */
export const run: Run<SettingsOf<'rollouts'>> = async ([folder], settings, terminal) => {
  const { signal } = terminal
  const { samples, temperature = 0.8, maxRounds, maxSteps, tree, limit, concurrency, depth } = settings
  const { alpha, answerRecall, prunePenalty, maxRuns, maxSubQueries } = settings
  const [policy, out] = [required(settings, 'policy'), required(settings, 'out')]
  const triples = settings.triples === undefined ? undefined : await readTriples(settings.triples)
  const exploring = { samples, maxRounds, maxSteps, tree, alpha, answerRecall, prunePenalty }
  const template = await readTemplate(settings.template)
  const ofAcqo = { rewards: rewardOptionsOf(settings), maxSubQueries, template }
  const plan = rolloutsNamed(policy, { ...exploring, ...ofAcqo, triples })
  const { agents, environment, judge } = await rolloutModelsOf(`The policy ${policy}`, settings, terminal)
  checkSearched(settings, settings.retrievers)
  const read = [settings.queries, settings.qrels, settings.triples, settings.template]
  await checkOut(out, folder, read, terminal)

  const { queries, qrels, files } = await readTrainingSplit(folder!, settings, terminal)
  const answers = await readAnswers(files.queries, { signal })
  const index = await openSettingsIndex(settings, terminal, settings.retrievers)
  const report = await resumable(out, terminal, (progress) =>
    writeRollouts(queries, plan, {
      ...{ qrels, answers, out, limit, concurrency, temperature, depth, agents, environment, signal },
      retrievers: index.retrievers,
      documents: (docids) => index.documents.get(docids),
      judge: judge?.judge,
      ...given({ maxRuns }),
      settings: {
        collection: basename(resolve(folder!)),
        ...{ temperature, ...exploring, ...(policy === 'acqo' && ofAcqo) },
        ...{ triples: settings.triples, depth, maxRuns },
        agents: agents.name,
        environment: environment.name,
        judge: settings.judgeModel,
      },
      onProgress: (done) => progress.update('rolling out', done, limit ?? queries.length),
    }),
  ).finally(() => index.close())
  const { firstFailure, ...counts } = report
  const unjudged = judge?.unjudged ?? 0
  if (report.items === 0 && report.failed === 0) throw nothingKnown(plan.needs)
  tell(terminal, settings, { out, ...counts, unjudged }, linesOf(out, report, unjudged))
  if (report.items === 0 && firstFailure !== undefined)
    throw allFailed(queryCount(report.failed), firstFailure)
}

const nothingKnown = (needs: 'docids' | 'answers'): QuerentError =>
  needs === 'answers'
    ? new QuerentError('unusable-judgments', 'None of the queries has an accepted answer', {
        remedy: 'Put them into queries.jsonl: {"_id", "text", "metadata": {"answer": "…"}}.',
      })
    : new QuerentError('unusable-judgments', 'None of the queries has a relevant document', {
        remedy: 'Check that the judgments belong to these queries.',
      })

function linesOf(out: string, report: RolloutsReport, unjudged: number): string[] {
  const { items, before, unknown, failed, firstFailure, leaves, failedLeaves, dropped } = report
  const again = 'Run the same command again to try again. The first reason'
  return [
    `${out}: ${queryCount(items)} (${before} from before), ${count(leaves, 'new leaf', 'new leaves')}, ${failedLeaves} of them failed`,
    ...(unknown > 0 ? [`Left out ${queryCount(unknown)} without what rewards are made from.`] : []),
    ...(dropped > 0 ? [`${count(dropped, 'completion')} beyond --set maxRuns were not run.`] : []),
    ...(unjudged > 0
      ? [`The judge said neither True nor False to ${count(unjudged, 'answer')}: they count as wrong.`]
      : []),
    ...(firstFailure !== undefined && items > 0
      ? [`${queryCount(failed)} failed. ${again}: ${firstFailure.message}`]
      : []),
  ]
}
