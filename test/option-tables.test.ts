/** The tables of options on the pages have every option that the public types have, and no other. */
import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPage } from './support/markdown.ts'

interface Documented {
  readonly page: string
  readonly section: string
  /** The report of the entry that has the types, in `docs/api/`. */
  readonly entry: string
  readonly types: readonly string[]
  /** Options that the section mentions outside of its table. */
  readonly besides?: readonly string[]
}

const policies = 'docs/policies.md'
const ofAllThatAnswer = ['longAnswer', 'rules', 'strict', 'timeout', 'askTimeout']
const documented: readonly Documented[] = [
  { page: 'docs/options.md', section: 'createOptimizer', entry: 'querent', types: ['OptimizerOptions'] },
  { page: policies, section: 'local', entry: 'policies-local', types: ['LocalPolicyOptions'] },
  { page: policies, section: 'acqo', entry: 'policies-acqo', types: ['AcqoOptions'] },
  {
    page: policies,
    section: 'agentic',
    entry: 'policies-agentic',
    types: ['AgenticOptions'],
    besides: ['strict', 'timeout', 'askTimeout'],
  },
  {
    page: policies,
    section: 'mmoa',
    entry: 'policies-mmoa',
    types: ['MmoaOptions'],
    besides: ofAllThatAnswer,
  },
  {
    page: policies,
    section: 'c3po',
    entry: 'policies-c3po',
    types: ['C3poOptions'],
    besides: ofAllThatAnswer,
  },
  { page: policies, section: 'mao', entry: 'policies-mao', types: ['MaoOptions'], besides: ofAllThatAnswer },
  {
    page: policies,
    section: 'sparkle',
    entry: 'policies-sparkle',
    types: ['SparkleOptions'],
    besides: ofAllThatAnswer,
  },
  {
    page: policies,
    section: 'Options of all answering policies',
    entry: 'policies-mao',
    types: ['MaoOptions'],
    besides: ['workflow'],
  },
  { page: 'docs/drop-in.md', section: 'The wrapped client', entry: 'elasticsearch', types: ['AppOptions'] },
  {
    page: 'docs/drop-in.md',
    section: 'A single search',
    entry: 'elasticsearch',
    types: ['SearchContextOptions'],
  },
  { page: 'docs/extending.md', section: 'The tools', entry: 'querent', types: ['Tools'] },
  { page: 'docs/operating.md', section: 'Observing', entry: 'querent', types: ['Observer'] },
]

describe.each(documented)('$page, $section', ({ page, section, entry, types, besides = [] }) => {
  it('has every member of the types, and no other', () => {
    const report = readFileSync(`docs/api/${entry}.api.md`, 'utf8')
    const members = new Set(types.flatMap((type) => membersOf(report, type)))
    expect([...new Set([...namesIn(page, section), ...besides])].sort()).toEqual([...members].sort())
  })
})

/** The names in the first column of the first table of a section: `a`, or `a`, `b`; of a call its function. */
function namesIn(page: string, section: string): string[] {
  const text = readPage(page)
  const start = new RegExp(`^##+ ${section}$`, 'm').exec(text)
  if (start === null) throw new Error(`${page} has no section "${section}"`)
  const lines = text.slice(start.index).split('\n')
  const table = lines.findIndex((line) => /^\| (?:option|key|tool|property|callback) \|/.test(line))
  const end = lines.findIndex((line, index) => index > table && !line.startsWith('|'))
  const cells = lines.slice(table + 2, end).map((line) => line.split('|')[1]!)
  return cells.flatMap((cell) => Array.from(cell.matchAll(/`(\w+)[^`]*`/g), ([, name]) => name!))
}

/** The members of an interface of a report, those that it extends included. */
function membersOf(report: string, type: string): string[] {
  const found = new RegExp(
    `^(?:export )?interface ${type}(?:<\\w+>)?(?: extends ([^{]+))? \\{\\n([\\s\\S]*?)^\\}`,
    'm',
  ).exec(report)
  if (found === null) throw new Error(`The report has no interface ${type}`)
  const [, parents = '', body] = found
  const own = Array.from(body!.matchAll(/^ {4}(?:readonly )?(\w+)[?(<:]/gm), ([, name]) => name!)
  const inherited = parents
    .split(',')
    .map((parent) => parent.trim())
    .filter(Boolean)
  return [...own, ...inherited.flatMap((parent) => membersOf(report, parent))]
}
