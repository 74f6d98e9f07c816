import { expect, it } from 'vitest'
import { cuesSchema, prepareCues } from '../../../policies/local/cues.ts'
import { readQuestion } from '../../../policies/local/rerank/question.ts'
import { createReader } from '../../../src/text/reader.ts'

it('cues of stems that are white space of another kind than a space are read like others', () => {
  // Learned on mtrag, where a byte order mark stands in the midst of texts: a word for the reader, white space for `\s`.
  const cues = { river: 'and>-1.2 \ufeff<-0.7', '\ufeff': '\u2028>1.5' }
  expect(cuesSchema.parse(cues)).toEqual(cues)
  const { lexicon } = createReader({ documents: 1, stems: {} })
  const question = readQuestion({ text: 'Which river is it?' }, lexicon)
  expect(() => prepareCues(cues)(question, lexicon)).not.toThrow()
  expect(cuesSchema.safeParse({ river: 'and' }).success).toBe(false)
})
