/** Extracts the model's answer from the text that trainers send, which may have the prompt before the answer. */
import { endOfMarks, withoutSpecialTokens } from '../../../src/text/special-tokens.ts'

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

const withoutLeadingMarks = (text: string): string => text.slice(endOfMarks(text))

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
