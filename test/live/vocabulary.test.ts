/** One thing has one name in what people read: the command line, the report and the documentation. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { runToEnd } from '../support/run-to-end.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

/** Names that are taken by one of: unchanged, split, search, your words alone, without Querent. */
const others =
  /as-is|\bas (?:it|they) (?:is|are)\b|left alone|alone votes|decompos\w*|sub-quer\w*|original quer\w*|\blegs?\b/gi

const questions = [
  'Was the author of Dracula born in the same city as the author of Ulysses?',
  'Which bridge is painted International Orange?',
]

it('the command line and the report keep to it', async () => {
  const folder = await temporaryFolder()
  const [index, report] = [join(folder, 'index'), join(folder, 'report.html')]
  expect((await runToEnd(['index', 'src/sample', '--out', index])).status).toBe(0)
  for (const question of questions)
    for (const command of [
      ['search'],
      ['explain'],
      ['explain', '--verbose'],
      ['explain', '--policy', 'none'],
    ]) {
      const { output, errors, status } = await runToEnd([
        command[0]!,
        question,
        '--index',
        index,
        ...command.slice(1),
      ])
      expect(status).toBe(0)
      expect((output + errors).match(others), command.join(' ')).toBeNull()
    }
  expect((await runToEnd(['evaluate', 'src/sample', '--index', index])).output.match(others)).toBeNull()
  const compared = ['compare', 'src/sample', '--index', index, '--policies', 'none,local', '--report', report]
  const { output, errors } = await runToEnd(compared)
  expect((output + errors).match(others)).toBeNull()
  const page = readFileSync(report, 'utf8').replace(/<(style|script)\b[\s\S]*?<\/\1>| style="[^"]*"/g, '')
  expect(page.match(others)).toBeNull()
  expect(page).toContain('without Querent')
})

/** What the documentation calls differently on purpose: parts of the code, which have these names there. */
const inDocs = /searched as it is|\bas-is\b|left alone|query alone votes|fell back to the original/gi

/** Pages of the code and of the papers, in which a sub-query and a leg are what they are there. */
const ofTheCode = /^docs\/(?:architecture|cli|extending|papers|training-llm)\.md$/

it.each([
  'README.md',
  ...readdirSync('docs')
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
])('%s keeps to it outside of code', (page) => {
  const prose = readFileSync(page, 'utf8').replaceAll(/```[\s\S]*?```|`[^`]*`/g, '')
  expect(prose.match(inDocs)).toBeNull()
  if (!ofTheCode.test(page)) expect(prose.match(/sub-quer\w*|\blegs\b/gi)).toBeNull()
})
