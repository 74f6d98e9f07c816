/** What a chooser sees of a question: its wording, once for each choice, so that a linear function can weigh it for each of them. */
import { createLexicon } from '../../src/text/lexicon.ts'
import { wordingFeatures, writeWording } from '../local/gate/wording.ts'
import { readQuestion } from '../local/rerank/question.ts'

const width = 1 + wordingFeatures.length

/** The names of the features: for each choice, whether the row is about it, and the wording if it is. */
export const chooserInputs = (choices: readonly string[]): string[] =>
  choices.flatMap((choice) => [choice, ...wordingFeatures.map((name) => `${choice} · ${name}`)])

/** The rows of these choices for a question. @param of the choices that the rows are about, by their places among all */
export function chooserRows(text: string, all: readonly string[], of: readonly number[]): Float32Array {
  // Which words are frequent does not matter here: every word with a meaning of its own counts the same.
  const lexicon = createLexicon(() => 1)
  const wording = new Float32Array(wordingFeatures.length)
  writeWording(wording, 0, text, readQuestion({ text }, lexicon), lexicon)
  const size = all.length * width
  const rows = new Float32Array(of.length * size)
  for (const [row, choice] of of.entries()) {
    const at = row * size + choice * width
    rows[at] = 1
    rows.set(wording, at + 1)
  }
  return rows
}
