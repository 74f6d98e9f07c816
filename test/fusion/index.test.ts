import { readdirSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { type FusionName, fusionByName, fusionNames, ranxNames } from '../../fusion/index.ts'
import { expectError } from '../support/expect-error.ts'
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
    expectError(() => fusionByName(name, { ...parametersOf[name], gama: 1 }), 'bad-config', 'gama')
    expectError(() => fusionByName(name, { ...parametersOf[name], gama: 1 }), 'bad-config', name)
  })
})

it.each(Object.keys(parametersOf))('%s needs trained parameters for each list', (name) => {
  expectError(() => fusionByName(name), 'bad-config', `${name}(fit`)
  expectError(
    () => fusionByName(name, parametersOf[name]).fuse([ranked('a'), ranked('b')]),
    'bad-config',
    /\b1 .*\b2\b/,
  )
})

it.each(Object.entries(ranxNames))("accepts ranx's name %s for %s", (alias, name) => {
  expect(fusionByName(alias).name).toBe(name)
})

it.each(['rank_score', '', '__proto__', 'constructor', 'toString'])(
  'has no fusion "%s", and says which there are',
  (name) => {
    for (const known of fusionNames) expectError(() => fusionByName(name), 'bad-config', known)
  },
)

it('passes parameters on', () => {
  const [hit] = fusionByName('rrf' satisfies FusionName, { k: 1 }).fuse([ranked('a')])
  expect(hit!.score).toBe(1 / 2)
  expectError(() => fusionByName('rrf', { k: -1 }), 'bad-config')
})
