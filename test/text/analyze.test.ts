import { expect, it } from 'vitest'
import { analyzer, stopWordList } from '../../src/text/analyze.ts'

const analyze = analyzer()
const plain = analyzer({ stem: false, stopWords: false })

it.each<[string, string[]]>([
  // Stems from the Porter 2 vocabulary of snowballstem.org.
  ['Consistently consolidating generations', ['consist', 'consolid', 'generat']],
  ['the ferry is in the harbour', ['ferri', 'harbour']],
  ['Who is he?', ['he']],
  ['to be or not to be', []],
])('stems and stops %j', (text, tokens) => expect(analyze(text)).toEqual(tokens))

it.each<[string, string[]]>([
  ['state-of-the-art COVID-19', ['state', 'of', 'the', 'art', 'covid', '19']],
  ["the king's men’s Bob's", ['the', 'king', 'men', 'bob']],
  ["don't O'Brien l’été", ['don', 't', 'o', 'brien', 'l', 'ete']],
  ['1,000,000 in 1983, 3.14 or 1,5', ['1000000', 'in', '1983', '3', '14', 'or', '1', '5']],
  ['snake_case a.b@c.org x²', ['snake', 'case', 'a', 'b', 'c', 'org', 'x2']],
  ['Beyoncé Ångström ﬁne ｆｕｌｌ', ['beyonce', 'angstrom', 'fine', 'full']],
  ['Война и мир, Ёлка', ['воина', 'и', 'мир', 'елка']],
  ['ΑΘΉΝΑ', ['αθηνα']],
  // Vowel signs belong to the word.
  ['हिन्दी भाषा', ['हिन्दी', 'भाषा']],
  // No spaces between words, or particles at their ends: single characters, then pairs.
  ['東京都', ['東', '京', '都', '東京', '京都']],
  ['서울은 검색', ['서', '울', '은', '서울', '울은', '검', '색', '검색']],
  ['Node手机 コーヒー', ['node', '手', '机', '手机', 'コ', 'ー', 'ヒ', 'ー', 'コー', 'ーヒ', 'ヒー']],
  ['❤️ 1️⃣ 🎉 \ud83d', ['1']],
  ['', []],
])('splits %j', (text, tokens) => expect(plain(text)).toEqual(tokens))

it('does not stem numbers: the stemmer would turn 1983 into 198i', () => {
  expect(analyze('1983 2003 covid193 mp3')).toEqual(['1983', '2003', 'covid193', 'mp3'])
})

it('cuts a token at 255 code units', () => {
  expect(plain('x'.repeat(100_000))).toEqual(['x'.repeat(255)])
})

it('analyzes stop words like the text', () => {
  expect(analyzer({ stopWords: ['ÉTÉ'] })("l'été")).toEqual(['l'])
})

it("uses Lucene's 33 stop words and nine question words by default", () => {
  expect(stopWordList(true)).toHaveLength(33 + 9)
  expect(stopWordList(false)).toEqual([])
})

it('reads a long run of Chinese', () => {
  const length = 200_000
  expect(analyzer()('東'.repeat(length))).toHaveLength(2 * length - 1)
})
