/** The tests of OpenSearch's REST suite, read from where `scripts/install-rest-suite.mjs` has put it. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { isObject } from '../../../adapters/apps/drop-in/parse/json.ts'
import { readYaml } from './yaml.ts'

/** One line of a test: a call (`do`), an assertion, or the like. */
export interface Step {
  readonly kind: string
  readonly value: unknown
}

export interface SuiteTest {
  /** The file and the test's own name. */
  readonly name: string
  readonly setup: readonly Step[]
  readonly steps: readonly Step[]
  /** Is carried out whatever came of the steps. */
  readonly teardown: readonly Step[]
}

/** @param folder of the suite: it holds `test/` and `api/` */
export function readSuite(folder: string): SuiteTest[] {
  const root = join(folder, 'test')
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) =>
    name.endsWith('.yml'),
  )
  return files.sort().flatMap((file) => {
    const sections = readYaml(readFileSync(join(root, file), 'utf8')).flatMap((document) =>
      isObject(document) ? Object.entries(document) : [],
    )
    const named = (name: string): Step[] => stepsOf(sections.find(([section]) => section === name)?.[1])
    return sections
      .filter(([name]) => name !== 'setup' && name !== 'teardown')
      .map(([name, steps]) => ({
        name: `${file.replace(/\.yml$/, '')}: ${name}`,
        setup: named('setup'),
        steps: stepsOf(steps),
        teardown: named('teardown'),
      }))
  })
}

const stepsOf = (list: unknown): Step[] =>
  (Array.isArray(list) ? list : [])
    .filter(isObject)
    .flatMap((step) => Object.entries(step).map(([kind, value]) => ({ kind, value })))
