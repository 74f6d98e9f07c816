import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'

it('the README shows examples/search.ts as it is', () => {
  expect(readFileSync('README.md', 'utf8')).toContain(
    `\`\`\`ts\n${readFileSync('examples/search.ts', 'utf8')}\`\`\``,
  )
})
