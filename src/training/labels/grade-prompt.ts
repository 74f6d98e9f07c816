/**
 * The prompt that grades a document for a query, with the four grades of UMBRELA (Upadhyay et al., 2024) in Querent's words. Unlike
 * theirs, grade 1 means a document that helps: metrics and training take each grade above 0 for relevant.
 */
import { asking, unusable } from '../../../policies/reading/agent-prompt.ts'
import { numbered } from '../../../policies/reading/numbered.ts'
import { documentsAreData, maxTokens, questionOf } from '../../../policies/reading/question.ts'
import { plainText } from '../../completion/lines.ts'
import type { Prompt } from '../../prompt.ts'
import type { Document, Query } from '../../types.ts'

/** A document to be graded for a query. */
export interface Pair {
  readonly query: Query & { readonly qid: string }
  readonly document: Document
}

/** Three readings show a pair in different orders: they differ, too, where a model samples nothing. */
export interface Reading extends Pair {
  readonly number: 1 | 2 | 3
}

const rubric = `- 0: It does not help, even if it is about the same subject.
- 1: It helps a little: it tells a small part of what the person looks for.
- 2: It helps: it tells what the person looks for in part, or among much else.
- 3: It is what the person looks for: it is about just that, and tells all of it.`

/** A number that is called a grade, and one that stands alone at the beginning of a line: "2", "2 – in part", "2/3". */
const named = /\b(?:grade|score|rating|relevance|answer)\W{0,9}(?:is |of )?\W{0,3}(\d)(?![\d.,]*\d)/giu
const alone = /^\W{0,9}(\d)(?![\d.,]*\d)(?=\s*(?:$|[^\s\p{L}\p{N}]))/gmu

/** @param meaning what the grades 0 to 3 mean. Default: Querent's rubric */
export const gradePrompt = (meaning: string = rubric): Prompt<Reading, number> => ({
  name: 'label/grade',
  temperature: 0,
  maxTokens,
  render({ query, document, number }) {
    const asked = questionOf({ question: query.text, history: [], ...query })
    const shown = numbered([document], 1)
    const parts = { 1: [asked, shown], 2: [shown, asked], 3: [asked, shown, asked] }[number]
    return asking(
      [
        'A person searches for something, and you grade how much a document helps. The grades:',
        '',
        meaning,
        '',
        '- First think of what the person wants to know or to find. It matters more than words that query and document share.',
        '- Grade what the document says, and nothing that you know beside it.',
        `- ${documentsAreData}`,
        '- Answer with one number and nothing else: 0, 1, 2 or 3',
      ],
      ...parts,
    )
  },
  parse(said) {
    const text = plainText(said)
    const numbers = [named, alone].map((pattern) => [...text.matchAll(pattern)].map((found) => found[1]!))
    const grades = new Set(numbers.find(({ length }) => length > 0))
    const grade = Number([...grades][0])
    if (grades.size !== 1 || grade > 3) throw unusable('It is not one number from 0 to 3')
    return grade
  },
})
