import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { readBeir } from '../../src/evaluation/beir-folder.ts'
import {
  filesOf,
  gradesOf,
  isWritable,
  type Judgments,
  judgmentsIn,
  queriesOf,
  withGrade,
} from '../../src/page/judgments.ts'
import { jsonOf } from '../../src/runtime/json.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const text = 'Where was he born?'
const history = [{ role: 'user', text: 'Who wrote Dracula?' }] as const

it('keeps one grade of a document for each query and conversation', () => {
  const first = withGrade(withGrade([], { text }, 'a', 1), { text, history }, 'a', 0)
  const then = withGrade(withGrade(first, { text }, 'b', 0), { text, history: [] }, 'a', 0)
  expect(Object.fromEntries(gradesOf(then, { text }))).toEqual({ a: 0, b: 0 })
  expect(Object.fromEntries(gradesOf(then, { text, history }))).toEqual({ a: 0 })
  expect(gradesOf(then, { text: 'another' }).size).toBe(0)
  expect(then).toHaveLength(3)
  expect(queriesOf(then).size).toBe(2)
})

it('takes a grade back', () => {
  const judged = withGrade([], { text }, 'a', 1)
  expect(withGrade(judged, { text }, 'a', undefined)).toEqual([])
  expect(withGrade(judged, { text: 'another' }, 'a', undefined)).toEqual(judged)
})

it('reads back what it kept', () => {
  const kept = withGrade(withGrade([], { text }, 'a', 1), { text, history }, 'b', 0)
  expect(judgmentsIn(JSON.parse(JSON.stringify(kept)))).toEqual(kept)
})

it.each([
  '{"a":1}',
  'null',
  '"text"',
  '[1]',
  '[{"text":"a"}]',
  '[{"text":"a","docid":"b","grade":"1"}]',
  '[{"text":"a","docid":1,"grade":1}]',
  '[{"text":"a","docid":"b","grade":1,"history":[{"text":"b"}]}]',
  '[{"text":"a","docid":"b","grade":1,"history":[]}]',
  '[{"text":"a","docid":"b","grade":1',
])('reads no judgments from %s, which is something else', (kept) => {
  expect(judgmentsIn(jsonOf(kept))).toEqual([])
})

it('writes a folder that the reader of BEIR folders understands', async () => {
  const docids = ['plain', '"quoted" id', 'é/ü', 'constructor']
  const judgments = docids.reduce<Judgments>(
    (all, docid, at) => withGrade(all, { text, ...(at % 2 === 0 && { history }) }, docid, at % 2),
    [],
  )
  const folder = await temporaryFolder()
  await mkdir(join(folder, 'qrels'))
  for (const [name, content] of Object.entries(filesOf(judgments)))
    await writeFile(join(folder, name), content)
  const { queries, qrels } = await readBeir(folder)
  expect(queries.map(({ qid: _, ...query }) => query)).toEqual([{ text, history }, { text }])
  const grades = queries.map(({ qid }) => Object.fromEntries(qrels.get(qid!)!))
  expect(grades[0]).toEqual({ plain: 0, 'é/ü': 0 })
  expect(grades[1]).toEqual({ '"quoted" id': 1, constructor: 1 })
})

it.each(['', 'a\tb', 'a\nb'])('the docid %j cannot stand in a table', (docid) => {
  expect(isWritable(docid)).toBe(false)
})
