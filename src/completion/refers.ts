/** Texts that speak of something which another text names: "that city". A search engine sees no other text. */

/** Nothing, or a word after which "that" is no conjunction and no relative pronoun. */
const before =
  '(?:^|[(,;:]|\\b(?:in|of|at|from|to|by|for|with|on|near|into|about|over|under|after|before|during|since|until|than|is|was|are|were|be|do|does|did|can|could|will|would|has|have|had|and|or|but|both|which|what|when|where|who|whom|whose|how))\\s*'
const verbs =
  'is|was|are|were|be|been|has|had|have|do|does|did|can|could|will|would|may|might|must|should|the|a|an|and|or|of|in|to|by|on|at|for|from|with|who|which|that|found|also|he|she|it|they|we|you|i'

const references = [
  // "in that city", "those two authors"; not "the film that won", "That Thing You Do!"
  `${before}(?:[Tt]hat|[Tt]his|[Tt]hese|[Tt]hose)\\s(?!(?:${verbs})\\b)(?=\\p{Ll}{2})`,
  '\\b(?:the said|(?:the )?aforementioned|the (?:above|latter))\\b',
  // "#1", "[director]", "the answer of step 2"
  '(?<![\\p{L}\\p{N}])#\\d\\b(?!\\s(?:on|hit|single|song|album|draft|pick)\\b)',
  '\\[\\p{L}[^\\][]{0,60}\\]',
  '\\b(?:answers?|results?) (?:to|of|from|in) (?:the )?(?:(?:first|second|third|previous|last) )?(?:sub-?)?(?:questions?|step|quer(?:y|ies)|search)\\b',
  '\\b(?:from|in|of) (?:sub-?question|step|query) \\d\\b',
].map((reference) => new RegExp(reference, 'u'))

/**
 * Whether a text that a model wrote for a search leaves open what it is about.
 *
 * @param asked the user's words: what they leave open, too, is theirs
 * @example refersElsewhere('population of that city', 'How many people live where Ada was born?') // true
 */
export const refersElsewhere = (text: string, asked: string): boolean =>
  references.some((reference) => reference.test(text) && !reference.test(asked))
