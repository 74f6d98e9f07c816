/** `npm run quickstart`, read by somebody who has never seen the project. */
import { execFile } from 'node:child_process'
import { promisify, stripVTControlCharacters } from 'node:util'
import { expect, it } from 'vitest'

it('shows five questions three ways, what it comes to, and what to type next', async () => {
  const { OPENAI_BASE_URL: _, OPENAI_API_KEY: __, QUERENT_CHAT_MODEL: ___, ...env } = process.env
  const { stdout } = await promisify(execFile)(process.execPath, ['scripts/quickstart.mjs'], { env })
  const text = stripVTControlCharacters(stdout)
  expect(text).toContain("the LLM's answers are recorded")
  expect(text.match(/\n {2}without Querent +local +LLM \(recorded\)\n/g)).toHaveLength(5)
  // What the package is for: of the four documents that the comparison needs, the words alone miss some.
  expect(text).toMatch(/\n {2}[01] of 4 needed +4 of 4 needed +4 of 4 needed\n/)
  const [, original, local, llm] = /\n {2}all \(36\) +([\d.]+) +([\d.]+) +([\d.]+)\n/.exec(text)!.map(Number)
  expect(local).toBeGreaterThan(original! + 10)
  expect(llm).toBeGreaterThan(local!)
  for (const next of ['explain', 'index', 'search', 'serve', 'proxy'])
    expect(text).toContain(`\n  npx querent ${next} `)
  expect(text.trimEnd().split('\n').at(-1)).toBe('  npx querent serve --sample')
  for (const line of text.split('\n')) expect(line).not.toMatch(/undefined|npm warn|NaN/)
})
