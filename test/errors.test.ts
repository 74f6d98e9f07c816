import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type ErrorCode, errorTable, isQuerentError, QuerentError, toError } from '../src/errors.ts'

const codes = Object.keys(errorTable) as ErrorCode[]

describe.each(codes)('%s', (code) => {
  it('says what happened and then what to do', () => {
    const error = new QuerentError(code, 'This happened', { cause: 'that' })
    expect(error).toMatchObject({
      name: 'QuerentError',
      code,
      cause: 'that',
      remedy: errorTable[code].remedy,
    })
    expect(error.message).toBe(`This happened. ${errorTable[code].remedy}`)
  })

  it('stands in docs/errors.md with its meaning', () => {
    expect(readFileSync('docs/errors.md', 'utf8')).toContain(`| \`${code}\` | ${errorTable[code].meaning} |`)
  })
})

it('no code of docs/errors.md has gone from the table', () => {
  const listed = [...readFileSync('docs/errors.md', 'utf8').matchAll(/^\| `([a-z-]+)`/gm)].map(
    ([, code]) => code,
  )
  expect(listed).toEqual(codes)
})

it('tells ours from others', () => {
  expect(isQuerentError(new QuerentError('deadline', 'x'), 'deadline')).toBe(true)
  expect(isQuerentError(new QuerentError('deadline', 'x'), 'aborted')).toBe(false)
  expect(isQuerentError(new Error('x'))).toBe(false)
  expect(toError('x').message).toBe('x')
})
