import { describe, expect, it } from 'vitest'
import { documentOf, sourceOf } from '../../../../adapters/search/cluster/document.ts'

const fields = { title: 'title', text: 'text', source: [] } as const

describe('documentOf', () => {
  it('has title and text of their fields', () => {
    expect(documentOf('1', { title: 'A', text: 'b' }, fields)).toEqual({ docid: '1', title: 'A', text: 'b' })
    expect(documentOf('1', { text: 'b' }, fields)).toEqual({ docid: '1', text: 'b' })
    expect(documentOf('1', { title: 'A' }, fields)).toEqual({ docid: '1', title: 'A', text: '' })
  })

  it('finds fields inside of others, also where their name has a dot', () => {
    const nested = { title: 'book.title', text: 'book.body.en', source: [] }
    expect(documentOf('1', { book: { title: 'A', body: { en: 'b' } } }, nested)).toEqual({
      docid: '1',
      title: 'A',
      text: 'b',
    })
    expect(documentOf('1', { 'book.title': 'A', book: { 'body.en': 'b' } }, nested)?.text).toBe('b')
  })

  it('makes one text of several and of numbers, and none of anything else', () => {
    expect(documentOf('1', { title: 1983, text: ['a', 'b'] }, fields)).toEqual({
      docid: '1',
      title: '1983',
      text: 'a\nb',
    })
    for (const source of [undefined, null, {}, { text: {} }, { text: [] }, { title: null }])
      expect(documentOf('1', source, fields)).toBeUndefined()
  })

  it('has what else was asked for as metadata', () => {
    const source = ['year', 'tags']
    const given = { title: 'A', text: 'b', year: 1904, tags: ['x'] }
    expect(documentOf('1', given, { ...fields, source })?.metadata).toEqual({ year: 1904, tags: ['x'] })
    expect(sourceOf({ ...fields, source })).toEqual(['title', 'text', 'year', 'tags'])
  })

  it('is none where none are wanted', () => {
    expect(documentOf('1', { text: 'b' }, { ...fields, source: false })).toBeUndefined()
    expect(sourceOf({ ...fields, source: false })).toBe(false)
  })
})
