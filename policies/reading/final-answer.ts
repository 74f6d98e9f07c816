/** The part of a model's text that is the answer. */

/** "Answer:" or "The answer is:" where a line or a sentence begins. What stands before is looked at last, so that time is linear. */
const marker = /(?:the answer is|answer):(?<=(?:^|[.!?]\s)\s*(?:the answer is|answer):)\s*/gim

/**
 * The answer: the paragraph after the last "Answer:" or "The answer is:" that begins a line or a sentence, else the last paragraph.
 * Without asterisks.
 *
 * @example finalAnswer('She wrote it.\n\nAnswer: **Ada Lovelace**') // 'Ada Lovelace'
 */
export function finalAnswer(output: string): string {
  const text = output.replaceAll('*', '').trim()
  const last = [...text.matchAll(marker)].at(-1)
  const paragraphs = (last === undefined ? text : text.slice(last.index + last[0].length)).split(/\n\s*\n/)
  return paragraphs.at(last === undefined ? -1 : 0)!.trim()
}
