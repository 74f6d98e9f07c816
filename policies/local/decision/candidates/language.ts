/** Whether the makers of candidates can read a question: their rules are for English. */

import { isQuestion } from '../../../../src/text/is-question.ts'
import { Flag, type Lexicon } from '../../../../src/text/lexicon.ts'
import type { Question } from '../../rerank/question.ts'

/** Small English words. "in" and "was" are missing because they are also German. */
const english = new Set(
  (
    'the of and is are were who whose what which when where how why does did do to for by with from on at this that ' +
    'these those than both between their his her its has have can could should would will may be been not it if about ' +
    'after before or an any i me my you your he she they we our first second few good name explain describe'
  ).split(' '),
)

/**
 * Small words of other languages in Latin letters, without accents. Words that are also English are missing, and words that occur
 * in names everywhere ("de", "van der").
 */
const foreign = new Set(
  (
    'und ist nicht ein eine einen einem einer wer wie wo wann warum welche welcher welches auf dem sind wurde wird ' +
    'zum zur nach auch oder sich werden une qui quel quelle quels quelles dans avec sont cette pourquoi quand leur ' +
    'chez una quien cual cuales donde cuando por fue estan tiene gli della nella quale quali perche questo sono piu ' +
    'anche quem onde quando nao foi mais het een waar wanneer voor niet zijn heeft naar och som vem hvem hvad hvor ' +
    'hvornar kto gdzie kiedy jak czy bir hangi nerede nasil adalah siapa dari ou est que des combien como cuantos ' +
    'wat waar chi apa ang'
  ).split(' '),
)

/** Shorter questions, for example in a conversation, need no small word. */
const leastWords = 4

const hasAccent = (word: string): boolean => /\p{Script=Latin}\p{M}/u.test(word.normalize('NFD'))

/**
 * Judges a query by its letters and its small words. Most words must be in the Latin script. Fewer words may look foreign (small
 * words of other languages, words with accents) than small words are English. A query with neither passes if it is short or is
 * not a question: a longer English question has a small word. Capitalized words after the first are ignored: they belong to names
 * and titles, which may be of any language.
 */
export function isEnglish(query: string, { text: { words } }: Question, lexicon: Lexicon): boolean {
  let latin = 0
  let other = 0
  let own = 0
  let strange = 0
  words.forEach((word, place) => {
    const written = lexicon.text(word)
    if (/^[\p{Script=Latin}\p{N}]/u.test(written)) latin++
    else if (/^\p{L}/u.test(written)) other++
    if (place > 0 && lexicon.flags(word) & Flag.capitalized) return
    const small = lexicon.text(lexicon.lower(word))
    if (english.has(small)) own++
    else if (foreign.has(small) || hasAccent(written)) strange++
  })
  if (latin < other || (strange > 0 && strange >= own)) return false
  return own > 0 || words.length < leastWords || !isQuestion(query)
}
