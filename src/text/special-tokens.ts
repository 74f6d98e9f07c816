/** What chat templates mark: where turns begin and end, and where a model thinks. Texts that are read must not hold it whole. */

/** The beginnings and ends of thoughts, in lower case, for the models of most makers. */
export const thoughtTags: readonly (readonly [opening: string, closing: string])[] = [
  ...['think', 'thinking', 'thought', 'reasoning', 'seed:think'].map(
    (name) => [`<${name}>`, `</${name}>`] as const,
  ),
  ['[think]', '[/think]'],
  ['◁think▷', '◁/think▷'],
  ['<|start_thinking|>', '<|end_thinking|>'],
  ['<|channel|>analysis<|message|>', '<|channel|>final<|message|>'],
]

/** A pattern of one of these texts. */
export const anyOf = (texts: readonly string[]): string =>
  texts.map((text) => text.replace(/[|[\]]/g, '\\$&')).join('|')

const mark = String.raw`<\|[^|<>\s]{1,40}\|>|<｜[^｜<>]{1,40}｜>|</?s>|<(?:pad|eos|bos|unk|end_of_turn)>|\[(?:PAD|SEP|EOS)\]`
const isMark = new RegExp(`^(?:${mark})$`)
const nextMark = new RegExp(String.raw`\s*(?:${mark})`, 'y')
const others = String.raw`<start_of_turn>|</?tool_(?:call|response)>|<</?SYS>>|\[/?(?:INST|SYSTEM_PROMPT|AVAILABLE_TOOLS|TOOL_CALLS|TOOL_RESULTS)\]`
const anywhere = new RegExp(`(?=${mark}|${others}|${anyOf(thoughtTags.flat())}).`, 'gi')

/** The text with a blank in each special token, so that no server reads it as one: `<|im_end|>` becomes `< |im_end|>`. */
export const brokenUp = (text: string): string => text.replace(anywhere, '$& ')

/**
 * An answer without the special tokens before and behind it, such as `<|im_end|>`, and without surrounding whitespace. The time
 * grows linearly with the text, even if a model repeats itself.
 */
export function withoutSpecialTokens(text: string): string {
  const start = endOfMarks(text)
  return text.slice(start, startOfMarks(text, start)).trim()
}

/** Where the leading special tokens end. */
export function endOfMarks(text: string): number {
  let end = 0
  // A test that fails begins at the start the next time.
  while (nextMark.test(text)) end = nextMark.lastIndex
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
