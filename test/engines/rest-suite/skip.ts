/** Which tests a server of a version does not run, by what the suite itself says. */
import { isObject, listOf } from '../../../adapters/apps/drop-in/parse/json.ts'
import type { Step, SuiteTest } from './suite.ts'

/** What this runner can do beyond the basics, by the suite's names; the last one is about the server's Java. */
const features = new Set(
  ['allowed_warnings', 'arbitrary_key', 'contains', 'default_shards', 'embedded_stash_key', 'headers'].concat(
    ['node_selector', 'stash_in_key', 'stash_in_path', 'warnings', 'yaml', 'spi_on_classpath_jdk9'],
  ),
)

/** Why a test is skipped: its `skip`, or that of its file; undefined where it runs. */
export function whySkipped({ setup, steps, teardown }: SuiteTest, version: string): string | undefined {
  return [setup, teardown, steps].map((section) => whySectionSkipped(section, version)).find(Boolean)
}

function whySectionSkipped([first]: readonly Step[], version: string): string | undefined {
  if (first?.kind !== 'skip' || !isObject(first.value)) return undefined
  const { version: ranges, features: needed, reason } = first.value
  if (ranges !== undefined && isWithin(version, String(ranges))) return `${ranges}: ${String(reason)}`
  const missing = listOf(needed ?? [])
    .flatMap((names) => String(names).split(','))
    .map((name) => name.trim())
    .filter((name) => !features.has(name))
  return missing.length === 0 ? undefined : `the runner has no ${missing.join()}`
}

/** @param ranges `low - high`, either end open, with commas between them; or `all` */
export function isWithin(version: string, ranges: string): boolean {
  if (ranges.trim() === 'all') return true
  return ranges.split(',').some((range) => {
    const [low = '', high = ''] = range.split('-').map((end) => end.trim())
    return (low === '' || compared(version, low) >= 0) && (high === '' || compared(version, high) <= 0)
  })
}

function compared(one: string, other: string): number {
  const [left, right] = [one, other].map(partsOf)
  const place = left!.findIndex((part, index) => part !== (right![index] ?? 0))
  return place === -1 ? 0 : left![place]! - (right![place] ?? 0)
}

/** Versions 5 to 7 are those of what OpenSearch was made from, and come before its own. */
function partsOf(version: string): number[] {
  const [major = 0, ...others] = version.split('.').map(Number)
  return [major >= 5 ? major - 10 : major, ...others]
}
