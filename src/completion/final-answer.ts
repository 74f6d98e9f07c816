/** The part of a completion that is the answer. */
import { jsonIn, labelOf, newline, unfenced, withoutEmphasis } from './lines.ts'

/** "Answer:" or "The answer is:" where a line or a sentence begins. What stands before is looked at last, so that time is linear. */
const label = String.raw`(?:the )?(?:(?:final|short|correct) )?answer(?: is)?\s?[:：]`
const marker = new RegExp(String.raw`${label}(?<=(?:^|[.!?]\s)\s*${label})\s*`, 'gim')

/** What stands before a short answer in its sentence, and behind it. */
const before =
  /^(?:(?:sure|certainly|of course|okay)[,!.]\s+)?(?:(?:based on|according to) [^,\n]{1,60},\s*)?(?:(?:the|my) (?:\w+ )?answer (?:to [^.,\n]{1,60} )?is\s+|a:\s+)?/i
const behind =
  /(?:(?<=[.!])\s+(?:this|that|it|he|she|they|the|as|according|see|documents?|source)|\s*[,;(–—-]\s*(?:as|according|see|per|from))\b[^\n]*\bdocuments?\b[^\n]*$/i
const marks = / ?(?:\[[\d\s,;–-]+\]|[([](?:see |from |source: )?documents? [\d\s,and]+[)\]])(?=\.?$)/i
const list =
  /^(?:[-*•]\s+|1[.)]\s+(?!FC\b|(?:jan|feb|m[aä]r|apr|ma[iy]|jun|jul|aug|sep|o[ck]t|nov|de[cz]))|\(1\)\s+)(?=\S)/i

/** A paragraph or a line that is said around the answer, and one that says why it is so. */
const preamble =
  /[:：]$|^(?:the )?(?:final |short )?answer$|^(?:sure|certainly|of course|okay|here (?:is|are))\b.*[.!]$/i
const closing = /^(?:i hope|let me know|feel free|please let)\b/i
const reason =
  /^(?:(?:\w+ )?(?:explanation|reason|reasoning|rationale|note|source|sources|evidence|thought|because)\b|\()/i

/** The last answer in `<answer>…</answer>` or `\boxed{…}`. */
export function taggedAnswer(text: string): string | undefined {
  const tags = /<answer>([\s\S]*?)(?:<\/answer>|$)|\\boxed\{((?:[^{}]|\{[^{}]*\})*)\}/gi
  const [, tagged, boxed] = [...text.matchAll(tags)].at(-1) ?? []
  return tagged ?? boxed
}

/** The value of the key "answer", or the only one. */
function answerOfJson(values: readonly unknown[]): string | undefined {
  const [value] = values
  if (typeof value !== 'object' || value === null) return undefined
  const entries = Object.entries(value)
  const [, found] =
    entries.find(([key]) => labelOf(key) === 'answer') ?? (entries.length === 1 ? entries[0]! : [])
  if (found === undefined) return undefined
  return typeof found === 'object' && found !== null ? Object.values(found).join(', ') : String(found)
}

/**
 * The answer: what stands behind the last "Answer:", else the first paragraph that says more than that an answer follows. A short one
 * has no marks of documents, no list mark and no quotation marks, and ends where its explanation begins. Of a long one all paragraphs
 * count.
 *
 * @example finalAnswer('**Ada Lovelace**\n\nThis is stated in Document 1.') // 'Ada Lovelace'
 */
export function finalAnswer(completion: string, isLong = false): string {
  const body = isLong && !/^\s*[`~]{3}/.test(completion) ? completion : unfenced(completion)
  const tagged = taggedAnswer(body) ?? body
  const said = answerOfJson(jsonIn(tagged)) ?? tagged
  const text = withoutEmphasis(said).replaceAll('*', '').split(newline).join('\n').trim()
  const last = [...text.matchAll(marker)].at(-1)
  const paragraphs = (last === undefined ? text : text.slice(last.index + last[0].length))
    .split(/\n\s*\n/)
    .map((paragraph) => paragraph.trim())
  const start = paragraphs.findIndex(
    (one) => !preamble.test(one) && !reason.test(one) && !one.startsWith('#'),
  )
  const own = paragraphs.slice(start === -1 ? 0 : start)
  if (isLong) return own.filter((one, place) => place === 0 || !closing.test(one)).join('\n\n')
  return shortened(own[0] ?? '')
}

function shortened(paragraph: string): string {
  const [first = '', ...others] = paragraph.split('\n').filter((line) => !preamble.test(line.trim()))
  const more = others.map((line) => line.trim()).filter((line) => !reason.test(line) && !/[.!]$/.test(line))
  const sentence = first.trim().replace(before, '')
  let answer = [sentence.replace(behind, ''), ...more].join('\n').replace(marks, '').trim()
  if (more.length === 0) answer = answer.replace(list, '')
  // A full stop, but for that of an abbreviation or of a sentence.
  if (answer.split(/\s+/).length < 6)
    answer = answer.replace(
      /\.$(?<=(?:^|[\s"])(?!(?:inc|corp|ltd|jr|sr|st|mt|co|bros|etc)\b)[^\s.]{2,}\.)/iu,
      '',
    )
  return answer
    .trim()
    .replace(/^["'“‘]([^"“”‘’]*)["'”’]$/, '$1')
    .trim()
}
