import fc from 'fast-check'
import { expect, it } from 'vitest'
import { identity } from '../../../../../adapters/apps/drop-in/answer/engine-hits.ts'

const name = fc.oneof(fc.stringMatching(/^[\w.:-]*$/), fc.string({ unit: 'binary' }), fc.constant('a\n'))

it('a document is known by the JSON of its index, its id and its routing, whatever stands in them', () => {
  fc.assert(
    fc.property(name, name, fc.option(name, { nil: undefined }), (_index, _id, _routing) => {
      const parts = _routing === undefined ? [_index, _id] : [_index, _id, _routing]
      expect(identity({ _index, _id, _routing })).toBe(JSON.stringify(parts))
    }),
  )
  expect(identity({})).toBe('[null,null]')
})
