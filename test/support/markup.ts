import { expect } from 'vitest'

/** Elements that have no end. */
const voids = new Set(['meta', 'br', 'hr', 'img', 'input', 'link'])

/** What is wrong with the nesting and the attributes of a page; nothing for a well-formed one. */
export function unbalanced(page: string): string[] {
  const problems: string[] = []
  const open: string[] = []
  // Everything between one tag and the next is text, and has no place for a bare `<`, `>` or `&`.
  const pieces = page.replace(/^<!doctype html>/, '').replace(/(<style>)[^<]*/, '$1')
  for (const [, text = '', tag = ''] of pieces.matchAll(/([^<]*)(<[^>]*>)?/g)) {
    if (/[>]|&(?!(?:amp|lt|gt|quot|#39);)/.test(text)) problems.push(`text ${text.slice(0, 60)}`)
    if (tag === '') continue
    const [, slash, name, attributes] =
      /^<(\/?)([a-z][a-z0-9]*)((?:\s+[a-z][a-z0-9:-]*="[^"<]*")*)\s*>$/i.exec(tag) ?? []
    if (name === undefined) problems.push(`tag ${tag.slice(0, 60)}`)
    else if (slash === '/') {
      if (attributes !== '' || open.pop() !== name) problems.push(`end ${tag}`)
    } else if (!voids.has(name)) open.push(name)
  }
  return [...problems, ...open.map((name) => `no end of ${name}`)]
}

/** Checks that a page is well-formed, loads nothing and runs nothing. */
export function expectSelfContained(page: string): void {
  expect(page).toMatch(/^<!doctype html>\n<html lang="en">/)
  expect(unbalanced(page)).toEqual([])
  expect(page).not.toMatch(/\b(?:src|href|srcset|poster|data|action)\s*=/i)
  expect(page).not.toMatch(/<(?:script|link|iframe|object|embed|img|base)\b/i)
  expect(page).not.toMatch(/@import|url\((?!#)/)
  expect(page).not.toMatch(/\son\w+\s*=/i)
  const ids = [...page.matchAll(/\bid="([^"]*)"/g)].map(([, id]) => id)
  expect(new Set(ids).size).toBe(ids.length)
}
