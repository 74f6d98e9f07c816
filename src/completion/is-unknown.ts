/** The usual ways in which a language model says that there is no answer. */

const sources = '(?:documents?|passages?|texts?|context|sources?|information)'
const not = "(?:not|n['’]t|no|nothing|cannot)"
const verbs = [
  'sa(?:y|id)',
  'mention',
  'state',
  't(?:ell|old)',
  'contain',
  'provide',
  'specif(?:y|ie)',
  'indicate',
  'give',
  'given',
]
const more = [
  'include',
  'name',
  'answer',
  'reveal',
  'list',
  'describe',
  'identif(?:y|ie)',
  'shown?',
  'cover',
  'discuss',
  'f(?:ind|ound)',
]
const states = [
  'known?',
  'determine',
  'clear',
  'available',
  'information',
  'possible',
  'sufficient',
  'enough',
]
const told = `(?:${[...verbs, ...more, ...states].join('|')})(?:s|e?d)?`
const helpers = '(?:is|are|was|were|do|does|did|can|could|has|have)'
const subject = '(?:(?:it|this|that|they|i|we|the|his|her|their|its)\\b[^.,;]{0,60}? )?'

/** The maximum length in characters of what says nothing else. */
const longest = 600

const unknowns = [
  String.raw`(?:unknown|none|n/?a|null|nil|undefined|unclear|unspecified|(?:there is )?no answer)?[^\p{L}\p{N}]*$`,
  // "unknown (no document says it)", "The answer is unknown."
  String.raw`unknown\b[^\p{L}\p{N}].*\b(?:${sources}|${not})\b`,
  String.raw`.{0,80}\b(?:is|are|was|were|remains?) (?:unknown|unclear|unspecified)\b`,
  // "The documents do not say.", "None of the documents says it.", "No document mentions it."
  String.raw`.{0,40}\b${sources}\b.{0,60}?(?:\b|(?<=\w))${not}\b.{0,40}?\b${told}\b`,
  String.raw`.{0,30}\b${sources} (?:say|tell|contain|give|state)s? nothing\b`,
  `(?:none|neither|nothing) (?:of|in) (?:the|these) ${sources}`,
  String.raw`no ${sources} ${told}\b`,
  // "Not mentioned.", "It cannot be determined.", "I do not know.", "His birthplace is not mentioned in the documents."
  String.raw`${subject}(?:${helpers} ?)?(?:not|cannot|n['’]t|unable to)(?: be)? (?:\w+ )?${told}(?:[^\p{L}\p{N}]*$| (?:in|from|by|the|this|that|who|what|when|where|which|how|to|it)\b)`,
  // "There is no information about it."
  String.raw`(?:there (?:is|was) |i (?:have|found|see|find) )?(?:no|not enough|insufficient)(?: \w+)? (?:information|mention|evidence|data|details?|answer)\b(?:[^\p{L}\p{N}]*$| (?:about|on|in|to|of|is|was|that|for|from|available|provided|given)\b)`,
].map((unknown) => new RegExp(`^(?:(?:sorry|unfortunately),? )?(?:${unknown})`, 'iu'))

/**
 * Whether an answer says that there is none. One that says something else, too, is an answer.
 *
 * @example isUnknown('The documents do not say.') // true
 */
export function isUnknown(answer: string): boolean {
  if (answer.length > longest) return false
  const [first = '', ...others] = answer.split(/(?<=[.!](?: ?\[[\d, ]+\])*)\s+/)
  const saysMore = others.length > 2 || /\[\d/.test(others.join(' '))
  if (saysMore || /^(?:yes|no)[,.;]|\b(?:but|however|although)\b/i.test(answer)) return false
  const sentence = first.replace(/\[[\d, ]+\]/g, '').replace(/^[^\p{L}\p{N}]+/u, '')
  return unknowns.some((unknown) => unknown.test(sentence))
}
