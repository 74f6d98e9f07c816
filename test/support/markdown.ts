/** What tests read out of the Markdown pages: tables, code blocks, headings. */
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'

export const readPage = (path: string): string => readFileSync(path, 'utf8')

/** All pages that a reader is led to. */
export const pages: readonly string[] = [
  'README.md',
  'CHANGELOG.md',
  '.github/CONTRIBUTING.md',
  '.github/SECURITY.md',
  'bench/README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => join('docs', name))
    .sort(),
]

/**
 * The cells of the table whose first heading this is, row by row, without code marks.
 *
 * @throws Error if the page has no such table
 */
export function tableOf(page: string, heading: string): string[][] {
  const lines = readPage(page).split('\n')
  const start = lines.findIndex((line) => line.startsWith(`| ${heading} |`))
  if (start === -1) throw new Error(`${page} has no table whose first heading is "${heading}"`)
  const end = lines.findIndex((line, index) => index > start && !line.startsWith('|'))
  return lines.slice(start + 2, end === -1 ? undefined : end).map((line) =>
    line
      .slice(1, -1)
      .split('|')
      .map((cell) => cell.replaceAll('`', '').trim()),
  )
}

export const firstCells = (rows: readonly (readonly string[])[]): string[] => rows.map(([name]) => name!)

/** The code blocks of these languages, without their fences. */
export function blocksOf(page: string, ...languages: readonly string[]): string[] {
  const blocks = readPage(page).matchAll(/^( *)```(\w+)\n([\s\S]*?)^\1```$/gm)
  return Array.from(blocks).flatMap(([, , language, code]) => (languages.includes(language!) ? [code!] : []))
}

/** Without the indentation that all lines share. */
export function dedented(text: string): string {
  const lines = text.split('\n')
  const indents = lines
    .filter((line) => line.trim() !== '')
    .map((line) => line.length - line.trimStart().length)
  const shared = Math.min(...indents)
  return lines.map((line) => line.slice(shared)).join('\n')
}

/** Whether a link of a page leads to a file and, where it has an anchor, to one of its headings. */
export function resolves(page: string, link: string): boolean {
  const [path, anchor] = link.split('#')
  const target = path === '' ? page : join(dirname(page), path!)
  if (!existsSync(target)) return false
  return anchor === undefined || anchorsOf(target).has(anchor)
}

const anchorsOf = (page: string): Set<string> =>
  new Set(Array.from(readPage(page).matchAll(/^#+ (.+)$/gm), ([, heading]) => slug(heading!)))

/** As GitHub makes them. */
const slug = (heading: string): string =>
  heading
    .toLowerCase()
    .replace(/\[([^\]]*)\]\([^)]*\)/g, '$1')
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
