import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type FusionName, fusionByName, fusionNames, ranxNames } from '../../fusion/index.ts'
import { isQuerentError } from '../../src/errors.ts'
import { errorOf } from './conformance.ts'
import { ranked } from './lists.ts'

const folder = new URL('../../fusion/', import.meta.url)
/** Parameters of trained methods, for one list. */
const parametersOf: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  mapfuse: { maps: [1] },
  bayesfuse: { logOdds: [[1]] },
  ...Object.fromEntries(
    ['posfuse', 'probfuse', 'segfuse', 'slidefuse'].map((name) => [name, { probabilities: [[1]] }]),
  ),
}

it('lists every file that makes a fusion', () => {
  const makers = readdirSync(folder)
    .filter((file) => file.endsWith('.ts'))
    .filter((file) =>
      /^export function \w+\([^)]*\): Fusion \{$/m.test(readFileSync(new URL(file, folder), 'utf8')),
    )
    .map((file) => file.replace('.ts', ''))
    .filter((file) => file !== 'index')
  expect([...fusionNames].sort()).toEqual(makers.sort())
})

describe.each(fusionNames)('%s', (name) => {
  it('is the name of the fusion', () => expect(fusionByName(name, parametersOf[name]).name).toBe(name))

  it('rejects an unknown parameter', () => {
    const thrown = errorOf(() => fusionByName(name, { ...parametersOf[name], gama: 1 }))
    expect(isQuerentError(thrown, 'bad-config')).toBe(true)
    expect(String(thrown)).toContain('gama')
    expect(String(thrown)).toContain(name)
  })
})

it.each(Object.keys(parametersOf))('%s needs trained parameters for each list', (name) => {
  const unfitted = errorOf(() => fusionByName(name))
  expect(isQuerentError(unfitted, 'bad-config')).toBe(true)
  expect(String(unfitted)).toMatch(
    new RegExp(`${name} must be fitted on judged queries first.*${name}\\(fit\\w+\\(runs, qrels\\)\\)`),
  )
  expect(String(unfitted)).not.toMatch(/choose one of .*fuse/)
  const thrown = errorOf(() => fusionByName(name, parametersOf[name]).fuse([ranked('a'), ranked('b')]))
  expect(isQuerentError(thrown, 'bad-config')).toBe(true)
  expect(String(thrown)).toContain('1 lists, but got 2')
})

it.each(Object.entries(ranxNames))("accepts ranx's name %s for %s", (alias, name) => {
  expect(fusionByName(alias).name).toBe(name)
})

it.each(['rank_score', '', '__proto__', 'constructor', 'toString'])(
  'has no fusion "%s", and says which there are',
  (name) => {
    const thrown = errorOf(() => fusionByName(name))
    expect(isQuerentError(thrown, 'bad-config')).toBe(true)
    for (const known of fusionNames) expect(String(thrown)).toContain(known)
  },
)

it('passes parameters on', () => {
  const [hit] = fusionByName('rrf' satisfies FusionName, { k: 1 }).fuse([ranked('a')])
  expect(hit!.score).toBe(1 / 2)
  expect(
    isQuerentError(
      errorOf(() => fusionByName('rrf', { k: -1 })),
      'bad-config',
    ),
  ).toBe(true)
})
