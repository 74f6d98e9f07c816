import { expect, it } from 'vitest'
import { clip } from '../../../src/cli/output/words.ts'

it.each([
  ['two\n lines ', 'two lines'],
  ['one two three four', 'one two …'],
  ['unbreakable', 'unbreakabl …'],
  ['', ''],
])('shows %j as %j', (text, shown) => expect(clip(text, 10)).toBe(shown))
