import { describe, expect, it } from 'vitest'
import { type Language, languages, loadLanguage } from '../../../adapters/search/language.ts'
import { buildWinkBm25, loadWinkBm25 } from '../../../adapters/search/wink-bm25.ts'
import type { Retriever } from '../../../src/types.ts'
import { expectError } from '../../support/expect-error.ts'
import { temporaryFolder } from '../../support/temporary-folder.ts'

// From the vocabularies that Snowball publishes with their stems.
it.each<[Language, string, string]>([
  ['german', 'aufeinanderfolgenden', 'aufeinanderfolg'],
  ['german', 'kategorischen', 'kategor'],
  ['french', 'continuellement', 'continuel'],
  ['french', 'majestueusement', 'majestu'],
  ['russian', 'важная', 'важн'],
  ['russian', 'вагонами', 'вагон'],
  ['spanish', 'cheques', 'chequ'],
  ['spanish', 'chicos', 'chic'],
])('%s stems %s to %s', async (language, word, stem) => {
  expect((await loadLanguage(language)).stemmer!(word)).toBe(stem)
})

it.each(languages.filter((language) => language !== 'english'))(
  '%s has stems and stop words',
  async (one) => {
    const { stemmer, stopWords } = await loadLanguage(one)
    expect(typeof stemmer!('abc')).toBe('string')
    expect(stopWords!.length).toBeGreaterThan(50)
  },
)

describe('a German index', () => {
  const documents = [
    {
      docid: 'hafen',
      title: 'Häfen',
      text: 'Im Hafen liegen die Schiffe, und die Straßen führen zu den Häusern.',
    },
    { docid: 'wald', text: 'Der Förster zählt die Bäume im Wald.' },
    { docid: 'brücke', text: 'Eine alte Brücke führt über den Fluss.' },
  ]
  const found = async (retriever: Retriever, text: string) => {
    const [leg] = await retriever.retrieve([{ text, round: 1 }], { k: 10 })
    return leg!.hits!.map(({ docid }) => docid)
  }

  it('finds other forms of words, with umlauts or without, and no stop words, also after it was saved', async () => {
    const built = await buildWinkBm25(documents, { language: 'german' })
    const folder = await temporaryFolder()
    await built.save(folder)
    for (const retriever of [built, await loadWinkBm25(folder)]) {
      expect(await found(retriever, 'Haus')).toEqual(['hafen'])
      expect(await found(retriever, 'Baum')).toEqual(['wald'])
      expect(await found(retriever, 'baume')).toEqual(['wald'])
      expect(await found(retriever, 'strasse')).toEqual(['hafen'])
      expect(await found(retriever, 'alten Brücken')).toEqual(['brücke'])
      expect(await found(retriever, 'die der im und')).toEqual([])
    }
    const english = await buildWinkBm25(documents)
    expect(await found(english, 'Haus')).toEqual([])
    expect(await found(english, 'die')).not.toEqual([])
  })

  it('can do without stems or with other stop words', async () => {
    const plain = await buildWinkBm25(documents, { language: 'german', stem: false, stopWords: ['Bäume'] })
    expect(await found(plain, 'Haus')).toEqual([])
    expect(await found(plain, 'HAUSERN')).toEqual(['hafen'])
    expect(await found(plain, 'Bäume')).toEqual([])
  })

  it('is refused in a language that there is not', async () => {
    const language = 'klingon' as Language
    await expectError(buildWinkBm25(documents, { language }), 'bad-config')
  })
})
