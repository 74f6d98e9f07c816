/** Stems and stop words of other languages than English: Snowball's stemmers, from optional packages. */
import { z } from 'zod'
import { optionalPackages } from '../../src/runtime/optional-package.ts'

/** Languages with a Snowball stemmer and a list of stop words. */
export const languages = [
  'english',
  'arabic',
  'danish',
  'dutch',
  'finnish',
  'french',
  'german',
  'greek',
  'hungarian',
  'italian',
  'norwegian',
  'portuguese',
  'romanian',
  'russian',
  'spanish',
  'swedish',
] as const

/**
 * A language whose words are stemmed.
 *
 * @useDeclaredType
 */
export type Language = (typeof languages)[number]

export const languageSchema: z.ZodEnum<{ [Name in Language]: Name }> = z.enum(
  languages,
  `must be one of ${languages.join(', ')}`,
)

export interface LoadedLanguage {
  /** Absent for English, whose stemmer is built in. */
  readonly stemmer?: (word: string) => string
  /** Absent for English, whose list is built in. */
  readonly stopWords?: readonly string[]
}

interface Stemmers {
  readonly stemmer: (word: string) => string
}

interface StopWords {
  readonly stopwords: readonly string[]
}

/** @throws QuerentError `missing-package` without the packages, which English does not need */
export async function loadLanguage(language: Language): Promise<LoadedLanguage> {
  if (language === 'english') return {}
  const [{ stemmer }, { stopwords }] = await optionalPackages<[Stemmers, StopWords]>([
    { name: '@orama/stemmers', load: () => import(`@orama/stemmers/${language}`) },
    { name: '@orama/stopwords', load: () => import(`@orama/stopwords/${language}`) },
  ])
  return { stemmer, stopWords: stopwords }
}
