/** What the model wrote, out of what trainers send: with the prompt before it, or with the tokenizer's marks around it. */

/** What stands before the answer in the chat templates in use. */
const answerMarkers = [
  '<|im_start|>assistant\n',
  '<|start_header_id|>assistant<|end_header_id|>\n\n',
  '<|assistant|>',
  '<｜Assistant｜>',
  '<start_of_turn>model\n',
  '[/INST]',
]

const mark = String.raw`<\|[^|<>\s]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|<(?:pad|eos|bos|unk|end_of_turn)>|\[(?:PAD|SEP|EOS)\]`
const isMark = new RegExp(`^(?:${mark})$`)

/**
 * An answer without the special tokens before and behind it, such as `<|im_end|>`, and without the blanks around it. The time
 * grows with the text and no faster, whatever a model that repeats itself has written.
 */
export function withoutSpecialTokens(text: string): string {
  const start = endOfMarks(text)
  return text.slice(start, startOfMarks(text, start)).trim()
}

/** Where the marks at the beginning end. */
function endOfMarks(text: string): number {
  const next = new RegExp(String.raw`\s*(?:${mark})`, 'y')
  let end = 0
  while (next.test(text)) end = next.lastIndex
  return end
}

/** Where the marks at the end begin, from `first` on. */
function startOfMarks(text: string, first: number): number {
  let end = withoutBlanks(text, text.length)
  for (;;) {
    // A mark holds none of the brackets that it begins with: the last one is where it begins, if it is one.
    const start = text.lastIndexOf(text[end - 1] === ']' ? '[' : '<', end - 1)
    if (start < first || !isMark.test(text.slice(start, end))) return end
    end = withoutBlanks(text, start)
  }
}

/** Where the text before `end` ends without the blanks behind it. */
function withoutBlanks(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length
}

/**
 * The answer in a text of prompt and answer, as OpenRLHF sends it. Where the text does not begin with the prompt, which was
 * cut then, it begins behind the last mark of the assistant's turn; where there is none, it is the whole text.
 */
export function answerOf(text: string, prompt?: string): string {
  return withoutSpecialTokens(behindPrompt(text, prompt))
}

function behindPrompt(text: string, prompt: string | undefined): string {
  if (prompt !== undefined && prompt !== '' && text.startsWith(prompt)) return text.slice(prompt.length)
  const ends = answerMarkers.flatMap((marker) => {
    const start = text.lastIndexOf(marker)
    return start < 0 ? [] : [start + marker.length]
  })
  return ends.length === 0 ? text : text.slice(Math.max(...ends))
}
