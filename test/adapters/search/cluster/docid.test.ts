import { describe, expect, it } from 'vitest'
import { docidOf, idsOf } from '../../../../adapters/search/cluster/docid.ts'

const hit = (_index: string, _id: string, _routing?: string) => ({
  _index,
  _id,
  ...(_routing !== undefined && { _routing }),
})

describe('docidOf', () => {
  it('is the _id in the one index that is searched', () => {
    for (const id of ['1', 'a b', 'other/1', 'ä?routing=x', '__proto__'])
      expect(docidOf(hit('mine', id), 'mine')).toBe(id)
  })

  it('names the index of an alias, of a pattern, and of several', () => {
    expect(docidOf(hit('mine-000001', '1'), 'mine')).toBe('mine-000001/1')
    expect(docidOf(hit('mine', '1'), undefined)).toBe('mine/1')
  })

  it('names the routing', () => {
    expect(docidOf(hit('mine', '1', 'tenant 7'), 'mine')).toBe('mine/1?routing=tenant%207')
  })

  it('is different for all documents, also for ids that look like other docids', () => {
    const places = ['mine', 'yours', 'mine-2'].flatMap((index) =>
      ['1', 'mine/1', 'mine%2F1', 'yours/1', 'mine/1?routing=1', '1?routing=1', 'mine/mine%2F1'].flatMap(
        (id) => [undefined, '1', '1?routing=1'].map((routing) => hit(index, id, routing)),
      ),
    )
    for (const own of ['mine', 'alias', undefined]) {
      // Only one index is searched where its name is known.
      const found = own === 'mine' ? places.filter(({ _index }) => _index === 'mine') : places
      expect(new Set(found.map((place) => docidOf(place, own))).size).toBe(found.length)
    }
  })
})

describe('idsOf', () => {
  it('has the _id of every docid', () => {
    for (const id of ['1', 'a/b', 'mine/1', 'ä ö?routing=1', '%', '100%25']) {
      for (const place of [hit('mine', id), hit('mine-2', id), hit('mine', id, 'x/y')])
        expect(idsOf(docidOf(place, 'mine'))).toContain(id)
    }
  })
})
