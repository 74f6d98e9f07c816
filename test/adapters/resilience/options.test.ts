import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { resilienceSchema } from '../../../adapters/resilience/options.ts'
import { parseConfig } from '../../../src/config.ts'

it('docs/resilience.md lists the defaults of all options', () => {
  const rows = [
    ...readFileSync('docs/resilience.md', 'utf8').matchAll(/^\| `([\w.]+)` \| ([^|]+) \| [^|]{20,} \|$/gm),
  ]
  const documented = Object.fromEntries(rows.map(([, option, value]) => [option, value!.trim()]))
  const { breaker, ...options } = parseConfig(resilienceSchema, {}, 'defaults')
  const ofBreaker = Object.entries(breaker).map(([option, value]) => [`breaker.${option}`, value])
  const defaults = Object.fromEntries([...Object.entries(options), ...ofBreaker])
  expect(documented).toEqual(
    Object.fromEntries(Object.entries(defaults).map(([option, value]) => [option, String(value)])),
  )
  expect(Object.keys(documented).filter((option) => !option.includes('.'))).toHaveLength(
    Object.keys(resilienceSchema.shape).length - 1,
  )
})
