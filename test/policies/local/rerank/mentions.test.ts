import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Mention, mentionsIn, titlesOf } from '../../../../policies/local/rerank/mentions.ts'
import { createLexicon } from '../../../../src/text/lexicon.ts'
import { parseDocument } from '../../../../src/text/parse-document.ts'
import { parseText, phraseOf } from '../../../../src/text/parse-text.ts'

interface Found extends Mention {
  /** The words that mention it, and the kind: "Lune Viaduct 1". */
  readonly told: string
}

function find(text: string, titles: readonly string[], ofQuery = false): Found[] {
  const lexicon = createLexicon(() => 1)
  const documents = titles.map((title, index) =>
    parseDocument({ docid: `d${index}`, title, text: '' }, lexicon),
  )
  const read = parseText(text, lexicon)
  return mentionsIn(read, titlesOf(documents, lexicon), lexicon, ofQuery).map((mention) => ({
    ...mention,
    told: `${phraseOf(read.words, mention.start, mention.end, lexicon)} ${mention.kind}`,
  }))
}

const inText = (text: string, ...titles: readonly string[]): string[] =>
  find(text, titles).map(({ told }) => told)
const inQuery = (text: string, ...titles: readonly string[]): string[] =>
  find(text, titles, true).map(({ told }) => told)

describe('a title is mentioned', () => {
  it('in full, whatever stands behind it in parentheses', () => {
    expect(inText('She saw the Lune Viaduct.', 'Lune Viaduct (bridge)')).toEqual(['Lune Viaduct 1'])
    expect(inText('She saw the Lune.', 'Lune Viaduct')).toEqual([])
    expect(inText('She saw Great Lune', 'Lune Viaduct')).toEqual([])
  })

  it('without "the", where two words are left', () => {
    expect(inText('The Grey Heron and a Grey Heron', 'The Grey Heron')).toEqual([
      'The Grey Heron 1',
      'Grey Heron 2',
    ])
    expect(inText('A Heron', 'The Heron')).toEqual([])
    expect(inText('A Grey Heron', 'Old Grey Heron')).toEqual([])
  })

  it.each(['Eskby Moor, Northland', 'Eskby Moor: Northland', 'Eskby Moor – Northland'])(
    'up to the first break of %s',
    (title) => {
      expect(inText('from Eskby Moor to Northland', title)).toEqual(['Eskby Moor 2'])
      expect(inText('from Eskby Moor, Northland', title)).toEqual(['Eskby Moor Northland 1'])
    },
  )

  it('but not up to a hyphen', () => expect(inText('from Eskby', 'Eskby-Moor')).toEqual([]))

  it('by the first and last word of a name of three or four', () => {
    const titles = ['Ada Mary Frost', 'Tom Lee van Hale', 'Tom A. B. Ives', 'Ida Ann Wells, Baroness']
    const text = 'There met Ada Frost, Tom Hale, Tom Ives, Ida Wells and Ida Baroness'
    // "van" has no capital: that is no person's name.
    expect(inText(text, ...titles)).toEqual(['Ada Frost 3', 'Tom Ives 3', 'Ida Wells 3'])
    expect(inText('There met Ada Frost', 'Ada B C D Frost')).toEqual([])
    expect(inText('There met Ada and Frost', 'Ada Frost')).toEqual([])
  })

  it('by one word only where it has three letters and says something', () => {
    expect(inText('An Ox met Both by the Elm in 1850', 'Ox', 'Both', 'Elm', '1850', '')).toEqual([
      'Elm 1',
      '1850 1',
    ])
  })

  it('by ten words at the most', () => {
    const ten = 'Ab Cd Ef Gh Ij Kl Mn Op Qr St'
    expect(inText(`${ten} Uv`, ten)).toEqual([`${ten} 1`])
    expect(inText(`${ten} Uv`, `${ten} Uv`)).toEqual([])
  })
})

describe('mentionsIn', () => {
  it('wants a capital or a digit at the beginning, in texts', () => {
    expect(inText('a Market, a market', 'Market')).toEqual(['Market 1'])
    expect(inText('a Lune viaduct, a lune viaduct', 'Lune Viaduct')).toEqual(['Lune viaduct 1'])
    expect(inText('the 39 steps', '39 Steps')).toEqual(['39 steps 1'])
  })

  it('does without in queries, but for single words', () => {
    expect(inQuery('a lune viaduct', 'Lune Viaduct')).toEqual(['lune viaduct 1'])
    expect(inQuery('a market, a Market', 'Market')).toEqual(['Market 1'])
  })

  it('takes the longest at each place, and goes on behind it', () => {
    const titles = ['Viaduct', 'Lune', 'Lune Viaduct Walk', 'Lune Viaduct']
    expect(inText('Lune Viaduct Viaduct Lune', ...titles)).toEqual(['Lune Viaduct 1', 'Viaduct 1', 'Lune 1'])
  })

  it('tells of each title that has the form, in their order, and where it stands', () => {
    const found = find('It rains. Go to Eskby. Eskby!', ['Lune', 'Eskby (town)', 'Eskby (ship)'])
    expect(found.map(({ title, start, end, sentence }) => [title, start, end, sentence])).toEqual([
      [1, 4, 5, 1],
      [2, 4, 5, 1],
      [1, 5, 6, 2],
      [2, 5, 6, 2],
    ])
  })

  it('finds a title in itself, and mentions never overlap unless they are of the same words', () => {
    const words = fc.array(fc.constantFrom('Lune', 'Viaduct', 'The', 'Eskby,', 'of', 'Ada', 'Frost'), {
      minLength: 1,
      maxLength: 6,
    })
    const titles = fc.array(
      words.map((all) => `Eskby ${all.join(' ')}`),
      { minLength: 1, maxLength: 6 },
    )
    fc.assert(
      fc.property(titles, words, (given, more) => {
        const text = `${given[0]} ${more.join(' ')}`
        const own = find(given[0]!, given)
        expect(own[0]).toMatchObject({ start: 0, end: given[0]!.split(' ').length })
        expect(own.some(({ title, kind, start }) => title === 0 && kind === 1 && start === 0)).toBe(true)
        find(text, given).reduce((before, mention) => {
          const isSame = mention.start === before.start && mention.end === before.end
          expect(isSame || mention.start >= before.end).toBe(true)
          return mention
        })
      }),
    )
  })
})
