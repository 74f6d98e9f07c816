/** How far a language model agrees with itself and with people: whoever uses its labels decides by that. */
import { cohensKappa, krippendorffsAlpha } from '../../evaluation/agreement.ts'
import type { Pair } from '../../training/labels/grade-prompt.ts'
import type { Labels } from '../../training/labels/labels.ts'
import type { Qrels } from '../../types.ts'
import { count } from './words.ts'

/** Grades are compared up to the highest that both know: many people only know "relevant", and some know more than four grades. */
export function agreementOf(labels: Labels, pairs: readonly Pair[], people: Qrels) {
  const judged = pairs.flatMap((pair): [number, number][] => {
    const [label, given] = [labels.gradeOf(pair), people.get(pair.query.qid)?.get(pair.document.docid)]
    return label === undefined || given === undefined ? [] : [[given, label]]
  })
  const highest = judged.reduce((most, [given]) => Math.max(most, Math.min(3, given)), 1)
  const both = judged.map((grades) =>
    grades.map((grade) => Math.max(0, Math.min(highest, grade))),
  ) as typeof judged
  return {
    // A third reading is of a document on which the first two differ: it would say less than the truth.
    itself: { alpha: krippendorffsAlpha(pairs.map((pair) => labels.stateOf(pair).grades.slice(0, 2))) },
    people: {
      documents: both.length,
      relevantDocuments: both.filter(([given]) => given > 0).length,
      kappa: cohensKappa(both),
      alpha: krippendorffsAlpha(both),
      /** Kappa where it counts only whether a document is relevant. */
      relevant: cohensKappa(both.map(([one, other]) => [Math.min(1, one), Math.min(1, other)])),
    },
  }
}

/** Below it not even tentative conclusions are allowed (Krippendorff, Content Analysis, 3rd edition, 2013, chapter 12). */
const leastAlpha = 0.667

export function agreementLines({ itself, people }: ReturnType<typeof agreementOf>): string[] {
  const { documents, relevantDocuments, kappa, alpha, relevant } = people
  const own = `The model's agreement with itself: Krippendorff's alpha ${shown(itself.alpha)}.`
  if (documents === 0)
    return [own, 'Its agreement with people is unknown: --qrels takes their judgments of the same queries.']
  const both = `With people, on ${count(documents, 'document')}, ${relevantDocuments} of them relevant to people: Krippendorff's alpha ${shown(alpha)}, Cohen's kappa ${shown(kappa)} (relevant or not: ${shown(relevant)}).`
  const isLow = alpha === undefined || alpha < leastAlpha
  return [
    own,
    both,
    ...(relevantDocuments === documents
      ? [
          'WARNING: people judged nothing here that is not relevant, so it is unknown what the model makes of that.',
        ]
      : []),
    ...(isLow ? [`WARNING: below an alpha of ${leastAlpha}, do not rely on these labels.`] : []),
  ]
}

const shown = (value: number | undefined): string => value?.toFixed(2) ?? 'undefined'
