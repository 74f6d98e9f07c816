import { describe, expect, it } from 'vitest'
import { holdOut, holdOutTogether } from '../../../src/training/data/hold-out.ts'
import type { Qrels } from '../../../src/types.ts'

const qids = ({ length }: { length: number }) => Array.from({ length }, (_, place) => `q${place}`)
const queriesOf = (names: readonly string[]) => names.map((qid) => ({ qid, text: `text of ${qid}` }))
/** qid → one relevant document. */
const judged = (documents: Readonly<Record<string, string>>): Qrels =>
  new Map(Object.entries(documents).map(([qid, docid]) => [qid, new Map([[docid, 1]])]))

describe('holdOut', () => {
  it('holds out a fifth, in the order of the queries, and the same one for the same seed', () => {
    const names = qids({ length: 50 })
    const qrels = judged(Object.fromEntries(names.map((qid) => [qid, `d-${qid}`])))
    const { train, heldOut } = holdOut(queriesOf(names), qrels, 1)
    expect([train.length, heldOut.length]).toEqual([40, 10])
    const places = (queries: readonly { qid: string }[]) => queries.map(({ qid }) => names.indexOf(qid))
    for (const part of [train, heldOut]) expect(places(part)).toEqual(places(part).toSorted((a, b) => a - b))
    expect(new Set([...train, ...heldOut]).size).toBe(50)
    expect(holdOut(queriesOf(names), qrels, 1)).toEqual({ train, heldOut })
    expect(holdOut(queriesOf(names), qrels, 2).heldOut).not.toEqual(heldOut)
  })

  it('keeps queries together that share a relevant document or a conversation, also by way of others', () => {
    // q0, q1 and q2: q1 shares a document with each of the others. q3 and q4: one conversation.
    const names = qids({ length: 20 })
    const grades = new Map(names.map((qid) => [qid, new Map([[`d-${qid}`, 1]])]))
    grades.get('q0')!.set('first', 1)
    grades.get('q1')!.set('first', 2).set('second', 1)
    grades.get('q2')!.set('second', 1)
    const history = [{ role: 'user' as const, text: 'text of q3' }]
    const queries = queriesOf(names).map((query) => (query.qid === 'q4' ? { ...query, history } : query))
    for (let seed = 1; seed <= 20; seed++) {
      const held = new Set(holdOut(queries, grades, seed).heldOut.map(({ qid }) => qid))
      for (const group of [
        ['q0', 'q1', 'q2'],
        ['q3', 'q4'],
      ])
        expect(new Set(group.map((qid) => held.has(qid))).size).toBe(1)
    }
  })

  it('keeps queries together that share a relevant document in different collections over the same documents', () => {
    const names = qids({ length: 20 })
    const qrels = judged(Object.fromEntries(names.map((qid) => [qid, `d-${qid}`])))
    for (let seed = 1; seed <= 20; seed++) {
      const [one, other] = holdOutTogether(
        [
          { queries: queriesOf(names), qrels },
          { queries: queriesOf(names), qrels },
        ],
        seed,
      )
      expect(other!.heldOut.map(({ qid }) => qid)).toEqual(one!.heldOut.map(({ qid }) => qid))
      expect(one!.heldOut).toHaveLength(4)
    }
  })

  it('lets queries apart that share a document which is not relevant', () => {
    const names = qids({ length: 10 })
    const qrels: Qrels = new Map(
      names.map((qid) => [
        qid,
        new Map([
          [`d-${qid}`, 1],
          ['shared', 0],
        ]),
      ]),
    )
    expect(holdOut(queriesOf(names), qrels, 1).heldOut).toHaveLength(2)
  })

  it('holds out none where all are connected', () => {
    const names = qids({ length: 10 })
    const { train, heldOut } = holdOut(
      queriesOf(names),
      judged(Object.fromEntries(names.map((qid) => [qid, 'shared']))),
      1,
    )
    expect([train.length, heldOut]).toEqual([10, []])
  })
})
