/**
 * Choosers stand in for C-3PO's router and MAO-ARAG's planner: a small trained function chooses the way of a question from its wording,
 * in place of a prompt to a language model.
 *
 * @module querent/policies/chooser
 */

import { QuerentError } from '../../src/errors.ts'
import { prepareScorer } from '../../src/learn/scorer.ts'
import type { C3poRules } from '../c-3po/options.ts'
import { parseRouter } from '../c-3po/parse.ts'
import { bestOf } from '../local/choose.ts'
import type { MaoRules } from '../mao-arag/options.ts'
import { parseWorkflow } from '../mao-arag/parse.ts'
import { type ChooserFile, type ChoosingPrompt, checkChooser, readChooser } from './chooser-file.ts'
import { chooserRows } from './question-row.ts'

export { type ChooserFile, type ChoosingPrompt, readChooser, writeChooser } from './chooser-file.ts'

/** The choice for a question: the one with the highest score, or the first of several. */
export function prepareChooser({ choices, scorer }: ChooserFile): (question: string) => string {
  const score = prepareScorer(scorer)
  const all = choices.map((_, place) => place)
  return (question) => choices[bestOf(score(chooserRows(question, choices, all), all.length))]!
}

/**
 * The rule that replaces the router of `c3po`. A route that searches once searches the question itself.
 *
 * @param chooser the content of a file of `querent train --rollouts`, or its path
 * @throws QuerentError as `readChooser`; `bad-config` if the chooser is for another prompt
 */
export async function chosenRoutes(chooser: ChooserFile | string): Promise<Pick<C3poRules, 'c3po/router'>> {
  const choose = prepareChooser(await openChooser(chooser, 'c3po/router'))
  return {
    'c3po/router': ({ question }) => {
      const choice = choose(question)
      const route = parseRouter(choice === '[Retrieval]' ? `[Retrieval] ${question}` : choice)
      if (route.action === 'invalid') throw new QuerentError('bad-policy', `No route: ${choice}`)
      return route
    },
  }
}

/**
 * The rule that replaces the planner of `mao`, for questions. Sub-questions have the workflow RA, AG.
 *
 * @param chooser the content of a file of `querent train --rollouts`, or its path
 * @throws QuerentError as `readChooser`; `bad-config` if the chooser is for another prompt
 */
export async function chosenWorkflows(chooser: ChooserFile | string): Promise<Pick<MaoRules, 'mao/plan'>> {
  const choose = prepareChooser(await openChooser(chooser, 'mao/plan'))
  return {
    'mao/plan': ({ question, turn }) => {
      const choice = turn === 'question' ? choose(question) : 'RA, AG'
      const workflow = parseWorkflow(choice, turn)
      if (workflow === undefined) throw new QuerentError('bad-policy', `No workflow: ${choice}`)
      return workflow
    },
  }
}

async function openChooser(given: ChooserFile | string, prompt: ChoosingPrompt): Promise<ChooserFile> {
  const where = typeof given === 'string' ? given : 'The chooser'
  const chooser = typeof given === 'string' ? await readChooser(given) : checkChooser(given, where)
  if (chooser.prompt === prompt) return chooser
  throw new QuerentError('bad-config', `${where} stands in for ${chooser.prompt}, and not for ${prompt}`, {
    remedy: `Train one on rollouts of ${prompt === 'mao/plan' ? 'mao' : 'c3po'}.`,
  })
}
