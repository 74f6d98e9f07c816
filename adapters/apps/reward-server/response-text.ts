/**
 * Extracts the model's answer from the text that trainers send. The text may have the prompt before the answer, or the
 * tokenizer's special tokens around it.
 */

/** Markers before the answer in common chat templates. */
const answerMarkers = [
  '<|im_start|>assistant\n',
  '<|im_start|>assistant<|im_sep|>',
  '<|start_header_id|>assistant<|end_header_id|>\n\n',
  '<|assistant|>',
  '<｜Assistant｜>',
  '<start_of_turn>model\n',
  '[/INST]',
]

const mark = String.raw`<\|[^|<>\s]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|<(?:pad|eos|bos|unk|end_of_turn)>|\[(?:PAD|SEP|EOS)\]`
const isMark = new RegExp(`^(?:${mark})$`)

/**
 * An answer without the special tokens before and behind it, such as `<|im_end|>`, and without surrounding whitespace. The time
 * grows linearly with the text, even if a model repeats itself.
 */
export function withoutSpecialTokens(text: string): string {
  const start = endOfMarks(text)
  return text.slice(start, startOfMarks(text, start)).trim()
}

const withoutLeadingMarks = (text: string): string => text.slice(endOfMarks(text))

/** Where the leading special tokens end. */
function endOfMarks(text: string): number {
  const next = new RegExp(String.raw`\s*(?:${mark})`, 'y')
  let end = 0
  while (next.test(text)) end = next.lastIndex
  return end
}

/** Where the trailing special tokens begin, at `first` or later. */
function startOfMarks(text: string, first: number): number {
  let end = withoutBlanks(text, text.length)
  for (;;) {
    // A special token contains its opening bracket only once. So a trailing token can only begin at the last bracket.
    const start = text.lastIndexOf(text[end - 1] === ']' ? '[' : '<', end - 1)
    if (start < first || !isMark.test(text.slice(start, end))) return end
    end = withoutBlanks(text, start)
  }
}

/** Where the text before `end` ends without its trailing whitespace. */
function withoutBlanks(text: string, end: number): number {
  return text.slice(0, end).trimEnd().length
}

/**
 * The answer in a text of prompt and answer, as OpenRLHF sends it. A text that does not begin with the prompt was truncated: its
 * answer begins behind the last marker of the assistant's turn. Without a marker, the answer is the whole text.
 */
export function answerOf(text: string, prompt?: string): string {
  return withoutSpecialTokens(behindPrompt(text, prompt))
}

function behindPrompt(text: string, prompt: string | undefined): string {
  const asked = withoutLeadingMarks(prompt ?? '')
  // Trainers pad texts of a batch in front.
  const whole = withoutLeadingMarks(text)
  if (asked !== '' && whole.startsWith(asked)) return whole.slice(asked.length)
  const ends = answerMarkers.flatMap((marker) => {
    const start = text.lastIndexOf(marker)
    return start < 0 ? [] : [start + marker.length]
  })
  return ends.length === 0 ? text : text.slice(Math.max(...ends))
}
