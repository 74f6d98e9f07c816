import { basename, resolve } from 'node:path'
import { readTriples } from '../../../policies/sparkle/read-triples.ts'
import { isQuerentError, QuerentError } from '../../errors.ts'
import { readAnswers } from '../../evaluation/answers.ts'
import { rolloutsNamed } from '../../training/rollouts/by-name.ts'
import { type RolloutsReport, writeRollouts } from '../../training/rollouts/write-rollouts.ts'
import { checkSearched, openSettingsIndex } from '../open/build-search.ts'
import { rewardOptionsOf } from '../open/reward-options.ts'
import { rolloutModelsOf } from '../open/rollout-models.ts'
import { readTemplate } from '../open/setting-files.ts'
import { readTrainingSplit } from '../open/training-split.ts'
import { allFailed } from '../output/all-failed.ts'
import { count } from '../output/count.ts'
import { warnBesideSources } from '../output/output-file.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** `querent rollouts <BEIR folder> --policy c3po --index <dir> --out rollouts.jsonl` */
export const runRollouts: Run<SettingsOf<'rollouts'>> = async ([folder], settings, terminal) => {
  const { signal } = terminal
  const { samples, temperature = 0.8, maxRounds, maxSteps, tree, limit, concurrency } = settings
  const { alpha, answerRecall, prunePenalty } = settings
  const [policy, out] = [required(settings, 'policy'), required(settings, 'out')]
  const triples = settings.triples === undefined ? undefined : await readTriples(settings.triples)
  const exploring = { samples, maxRounds, maxSteps, tree, alpha, answerRecall, prunePenalty }
  const ofAcqo = {
    rewards: rewardOptionsOf(settings),
    maxSubQueries: settings.maxSubQueries,
    template: await readTemplate(settings.template),
  }
  const plan = rolloutsNamed(policy, { ...exploring, ...ofAcqo, triples })
  const models = await rolloutModelsOf(`The policy ${policy}`, settings, terminal)
  checkSearched(settings, settings.retrievers)
  await checkOutputs({ '--out': out }, [
    folder,
    settings.queries,
    settings.qrels,
    settings.triples,
    settings.template,
  ])
  warnBesideSources(out, folder!, terminal)

  const { queries, qrels, files } = await readTrainingSplit(folder!, settings, terminal)
  const answers = await readAnswers(files.queries, { signal })
  const index = await openSettingsIndex(settings, terminal, settings.retrievers)
  const progress = showProgress(terminal)
  let report: RolloutsReport
  try {
    report = await writeRollouts(queries, plan, {
      qrels,
      answers,
      out,
      limit,
      concurrency,
      temperature,
      depth: settings.depth,
      retrievers: index.retrievers,
      documents: (docids) => index.documents.get(docids),
      agents: models.agents,
      environment: models.environment,
      judge: models.judge?.judge,
      ...(settings.maxRuns !== undefined && { maxRuns: settings.maxRuns }),
      signal,
      settings: {
        collection: basename(resolve(folder!)),
        temperature,
        ...exploring,
        ...(policy === 'acqo' && ofAcqo),
        triples: settings.triples,
        depth: settings.depth,
        maxRuns: settings.maxRuns,
        agents: models.agents.name,
        environment: models.environment.name,
        judge: settings.judgeModel,
      },
      onProgress: (done) => progress.update('rolling out', done, limit ?? queries.length),
    })
    progress.stop()
  } catch (error) {
    progress.stop()
    if (!isQuerentError(error, 'bad-config') && !isQuerentError(error, 'write-failed'))
      say(terminal, `What is finished is in ${out}. Run the same command again to continue.`)
    throw error
  } finally {
    await index.close()
  }
  const unjudged = models.judge?.unjudged ?? 0
  if (report.items === 0 && report.failed === 0) throw nothingKnown(plan.needs)
  const { firstFailure, ...counts } = report
  if (settings.json) printJson(terminal, { out, ...counts, unjudged })
  else for (const line of linesOf(out, report, unjudged)) say(terminal, line)
  if (report.items === 0 && firstFailure !== undefined)
    throw allFailed(count(report.failed, 'query', 'queries'), firstFailure)
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
  const queries = (number: number): string => count(number, 'query', 'queries')
  return [
    `${out}: ${queries(items)} (${before} from before), ${count(leaves, 'new leaf', 'new leaves')}, ${failedLeaves} of them failed`,
    ...(unknown > 0 ? [`Left out ${queries(unknown)} without what rewards are made from.`] : []),
    ...(dropped > 0 ? [`${count(dropped, 'completion')} beyond --set maxRuns were not run.`] : []),
    ...(unjudged > 0
      ? [`The judge said neither True nor False to ${count(unjudged, 'answer')}: they count as wrong.`]
      : []),
    ...(firstFailure !== undefined && items > 0
      ? [
          `${queries(failed)} failed. Run the same command again to try again. The first reason: ${firstFailure.message}`,
        ]
      : []),
  ]
}
