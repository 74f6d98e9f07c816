/** Questions as the makers of candidates see them, with a lexicon whose words all weigh the same unless told otherwise. */
import { type Question, readQuestion } from '../../policies/local/rerank/question.ts'
import type { Lexicon } from '../../src/text/lexicon.ts'
import { createReader, type Reader } from '../../src/text/reader.ts'
import type { Query, Turn } from '../../src/types.ts'

/** Stems that stand in half of 1,000 documents. All others stand in none, and weigh ten times as much. */
export const readerWith = (common = ''): Reader =>
  createReader({ documents: 1000, stems: common === '' ? {} : { 500: common } })

export function ask(
  text: string,
  { common, history }: { readonly common?: string; readonly history?: readonly Turn[] } = {},
): { readonly query: Query; readonly question: Question; readonly lexicon: Lexicon } {
  const { lexicon } = readerWith(common)
  const query = { text, ...(history && { history }) }
  return { query, question: readQuestion(query, lexicon), lexicon }
}

/** A conversation in which the user begins. */
export const conversation = (...texts: readonly string[]): Turn[] =>
  texts.map((text, place) => ({ role: place % 2 === 0 ? 'user' : 'agent', text }))

/** Questions in other languages and scripts, and what is hardly a question. */
export const foreignQuestions: readonly string[] = [
  '谁设计了布鲁克林大桥和福斯桥？',
  '布鲁克林大桥 设计 师 和 福斯桥',
  'من صمم جسر بروكلين وجسر فورث؟',
  'ब्रुकलिन ब्रिज और फोर्थ ब्रिज में कौन पुराना है?',
  'Welche Brücke ist älter, die Forth Bridge oder die Brooklyn Bridge?',
  'Wann wurde der Kölner Dom gebaut, und von wem?',
  'Quelle est la hauteur de la tour Eiffel et du viaduc de Millau ?',
  '¿Quién construyó el puente de Brooklyn y cuándo murió?',
  'Который мост старше, Бруклинский или Форт?',
  'フォース橋とブルックリン橋、どちらが古いですか',
  'In welcher Stadt liegt die Forth Bridge',
  'Baujahr des Viadukts von Millau',
  'la película Puente de Brooklyn y Forth Bridge',
  'Où est né Benjamin Baker ?',
  '¿En qué año murió John Roebling?',
  'Combien de films sur Gustave Eiffel et Benjamin Baker',
  'Was schrieb Benjamin Baker?',
  'Starb Gustave Eiffel in Paris?',
  'Chi ha costruito la Forth Bridge?',
  'Wat is de hoogte van Forth Bridge?',
  'Siapa arsitek Forth Bridge?',
]
