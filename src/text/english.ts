/**
 * English word lists: lower case, without accents. The features of trained policies depend on some of these lists. After a
 * change to one of them, retrain the policies.
 */
const words = (list: string): readonly string[] => list.split(' ')

export const questionWords: readonly string[] = words('who whom whose which what when where why how')

/**
 * Words that a BM25 index omits: Lucene's `EnglishAnalyzer.ENGLISH_STOP_WORDS_SET`, and the question words, which name the
 * kind of answer but not its topic (on the sub-queries recorded for musique-train, recall@5 is 84.0 without and 86.0 with
 * them). Longer lists help on conversations, but hurt queries in which short words are names.
 */
export const searchStopWords: readonly string[] = [
  ...words(
    'a an and are as at be but by for if in into is it no not of on or such that the their then there these they this to ' +
      'was will with',
  ),
  ...questionWords,
]

/** Words without content: their weight in a `Lexicon` is 0. */
export const stopWords: ReadonlySet<string> = new Set(
  words(
    'a an and are as at be been being but by can could did do does for from had has have he her hers him his how i if in into ' +
      'is it its itself me my no nor not of on or our out s she should so some such t than that the their them then there these ' +
      'they this those to too up us was we were what when where which while who whom whose why will with would you your also both ' +
      'same other between during after before about',
  ),
)

/** Auxiliary verbs, and the part of their negations before the apostrophe: "isn" of "isn't". */
export const auxiliaries: readonly string[] = words(
  'is are was were am do does did has have had can could shall should may might will would ' +
    'isn aren wasn weren doesn didn hasn haven hadn couldn shouldn wouldn won',
)

/** Lower-case words inside a name: "Journal of the History of Ideas". */
export const nameParticles: ReadonlySet<string> = new Set(
  words('of the de la le du des von van der den da di del al bin ibn y e'),
)

/** Abbreviations before a name or a number. Their period does not end a sentence. */
export const abbreviations: ReadonlySet<string> = new Set(
  words(
    'mr mrs ms dr st jr sr vs prof gen col lt capt cpt sgt maj cmdr rev hon gov sen rep pres ft mt no nos vol op ' +
      'fig ed eds pp ca cf al etc inc ltd co corp dept univ assn bros approx est b d c r p fl lit trans jan feb mar ' +
      'apr jun jul aug sep sept oct nov dec',
  ),
)
