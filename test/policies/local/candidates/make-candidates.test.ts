import { describe, expect, it } from 'vitest'
import type { Candidate } from '../../../../policies/local/candidates/candidate.ts'
import { candidatesOf } from '../../../../policies/local/candidates/make-candidates.ts'
import { evidenceFeatures } from '../../../../policies/local/gate/evidence.ts'
import { contextFeatures } from '../../../../policies/local/query-context.ts'
import type { SecondStage } from '../../../../policies/local/second-stage.ts'
import { searchKey } from '../../../../src/dedupe.ts'
import { createReader, type Reader } from '../../../../src/text/reader.ts'
import type { Document, Query, RankedList } from '../../../../src/types.ts'
import { conversation, foreignQuestions } from '../../../support/question.ts'
import { hits } from '../../../support/scripted.ts'

const documents: readonly Document[] = [
  { docid: 'a', title: 'Ada Frost', text: 'She painted a viaduct near Eskby.' },
  { docid: 'b', title: 'Eskby (town)', text: 'A town with a viaduct and a market.' },
  { docid: 'c', text: 'Nothing about it.' },
]

const bridge = (name: string, score: number, unanswered: string): SecondStage['bridges'][number] => ({
  name,
  unanswered,
  seed: 'a',
  score,
})

const lookAhead = (more: Partial<SecondStage>): SecondStage => ({
  names: [],
  bridges: [],
  query: new Float32Array(contextFeatures.length),
  evidence: new Float32Array(evidenceFeatures.length),
  ...more,
})

function candidates(
  query: Query,
  stage: Partial<SecondStage> = {},
  { docids = ['a', 'c', 'b'], reader = createReader({ documents: 100, stems: {} }) as Reader } = {},
): Candidate[] {
  const lists: RankedList[] = [
    { retriever: 'bm25', subQuery: { text: query.text, round: 1 }, hits: hits(...docids) },
    { retriever: 'dense', subQuery: { text: query.text, round: 1 }, hits: hits('c', 'b') },
  ]
  const documentOf = (docid: string) => documents.find((document) => document.docid === docid)
  return candidatesOf(query, lists, lookAhead(stage), documentOf, reader)
}

describe('candidates', () => {
  it('knows which names are titles of what was found, and how high', () => {
    const names = ['Ada Frost', 'ESKBY', 'Lune']
    // The rank in the first list that has it: Eskby is third there, and second in the other one.
    expect(candidates({ text: 'q' }, { names }).map(({ text, found }) => [text, found])).toEqual([
      ['Ada Frost', 1],
      ['ESKBY', 1 / 3],
      ['Lune', 0],
      // Both have the viaduct, and one as its title what the other mentions.
      ['q viaduct Eskby', 0],
    ])
    expect(candidates({ text: 'q' }, { names: ['Eskby'] }, { docids: [] })[0]?.found).toBe(1 / 2)
  })

  it('takes three names, four bridges, and the first of those with what it leaves unanswered', () => {
    const bridges = ['A', 'B', 'C', 'D', 'E'].map((name, index) => bridge(`${name} Way`, -index, 'height'))
    const made = candidates({ text: 'q' }, { names: ['N1', 'N2', 'N3', 'N4'], bridges }, { docids: [] })
    expect(
      made.map(({ kind, text, from, place }) => [kind, text, from === undefined ? 1 : 2, place]),
    ).toEqual([
      ['name', 'N1', 1, 1],
      ['name', 'N2', 1, 2],
      ['name', 'N3', 1, 3],
      ['bridge', 'A Way', 2, 1],
      ['bridge', 'B Way', 2, 2],
      ['bridge', 'C Way', 2, 3],
      ['bridge', 'D Way', 2, 4],
      ['bridge with the rest', 'A Way height', 2, 1],
    ])
    // Scores 0, -1, -2, -3, -4: the second is e^-1 / (1 + e^-1 + e^-2 + e^-3 + e^-4), and a fifth of a unit behind.
    const sum = [0, 1, 2, 3, 4].reduce((total, index) => total + Math.exp(-index), 0)
    expect(made[4]).toMatchObject({ from: 'a', gap: -1 / 5 })
    expect(made[4]?.strength).toBeCloseTo(Math.exp(-1) / sum, 12)
  })

  it('has no search twice, and never the query itself', () => {
    const bridges = [bridge('ada  frost', 1, ''), bridge('ESKBY', 0, 'market')]
    const made = candidates({ text: 'Eskby' }, { names: ['Ada Frost', 'eskby'], bridges })
    expect(made.map(({ text }) => text)).toEqual(['Ada Frost', 'Eskby viaduct'])
  })

  it('gives carry-overs their places, whether the others abstain or not', () => {
    const history = conversation('Who is Ada Frost?', 'Ada Frost is a painter.')
    const made = candidates({ text: 'Ada Frost paintings of viaducts', history }, {}, { docids: [] })
    // Of the answer, "painter" has the stem "painter" and not "paint"; no other word is new, and none is said twice.
    expect(made.map(({ kind, place, text }) => [kind, place, text.split(' ').at(-1)])).toEqual([
      ['carry-over', 4, 'painter'],
    ])
  })

  it.each(foreignQuestions)('has none in another language: %s', (text) => {
    expect(candidates({ text, history: conversation(text, text) }, { names: ['N'] })).toEqual([])
  })

  it('needs no documents, no lists and no words', () => {
    const reader = createReader({ documents: 1, stems: {} })
    const none = candidatesOf({ text: 'forth bridge' }, [], lookAhead({}), () => undefined, reader)
    expect(none).toEqual([])
    for (const text of ['', ' ', '?', '🍕', 'a'.repeat(200)])
      for (const made of candidates({ text })) expect(searchKey(made.text)).not.toBe(searchKey(text))
  })

  it('is the same whatever was read before', () => {
    const reader = createReader({ documents: 100, stems: {} })
    const query = { text: 'the viaduct and the market of Eskby' }
    const first = candidates(query)
    reader.read({ docid: 'x', text: 'market viaduct Eskby, town, painted' })
    expect(candidates(query, {}, { reader })).toEqual(first)
  })
})
