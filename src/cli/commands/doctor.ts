import { textNames, titleNames } from '../../../adapters/apps/drop-in/parse/field-kinds.ts'
import { isObject } from '../../../adapters/apps/drop-in/parse/json.ts'
import { type Diagnosis, diagnose } from '../../../adapters/apps/drop-in/run/parse-with-mapping.ts'
import { appSettings } from '../../../adapters/apps/drop-in/run/settings.ts'
import { QuerentError } from '../../errors.ts'
import { type Line, lineError, readLines } from '../../evaluation/lines.ts'
import { jsonOf } from '../../runtime/json.ts'
import { openTargetClient, type TargetClient } from '../open/ask-target.ts'
import { readCertificates } from '../open/setting-files.ts'
import { type Fields, fieldsOf } from '../open/text-fields.ts'
import { print, printJson } from '../output/terminal.ts'
import { clip, count } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** How many searches are read, and how many are listed: more would hide what is common to them. */
const maxQueries = 1000
const maxListed = 10

type Searched = { readonly search: string } & Diagnosis

/** `querent doctor --target <url> --name <index> --queries <file>` */
export const run: Run<SettingsOf<'doctor'>> = async (_, settings, terminal) => {
  const ca = await readCertificates(settings.ca)
  const target = openTargetClient(required(settings, 'target'), ca, terminal)
  try {
    const engine = await engineOf(target)
    const fields = settings.name === undefined ? undefined : await fieldsOf(target, settings.name)
    const { queries } = settings
    const searches =
      queries === undefined ? undefined : await diagnosesOf(queries, settings.name, fields, target)
    const counted = fields && { text: fields.text, others: fields.others.length }
    const found = { target: target.origin, ...engine, fields: counted, searches: searches ?? [] }
    if (settings.json) return printJson(terminal, found)
    for (const line of report(target.origin, engine, fields, searches)) print(terminal, line)
  } finally {
    await target.close()
  }
}

/** @throws QuerentError `unavailable` if the cluster cannot be reached, or refuses */
async function engineOf(target: TargetClient): Promise<{ engine: string; version: string | undefined }> {
  const { status, body } = await target.get('/')
  if (status === 401 || status === 403)
    throw new QuerentError('unavailable', `${target.origin} answers ${status}: it wants other credentials`, {
      remedy:
        'Set QUERENT_ENGINE_API_KEY, or QUERENT_ENGINE_USERNAME and QUERENT_ENGINE_PASSWORD. Callers of the proxy send their own.',
    })
  const version = isObject(body) && isObject(body.version) ? body.version : undefined
  if (status >= 400 || version === undefined)
    throw new QuerentError(
      'unavailable',
      `${target.origin} answers ${status}, and not as Elasticsearch or OpenSearch do`,
      { remedy: 'Check --target: its address, and the path in it.' },
    )
  const engine = version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch'
  return { engine, version: typeof version.number === 'string' ? version.number : undefined }
}

/** What can become of each search of the file. @throws QuerentError `bad-file` with file and line for a broken body */
async function diagnosesOf(
  file: string,
  index: string | undefined,
  fields: Fields | undefined,
  target: TargetClient,
): Promise<Searched[]> {
  // Threads would only have to end again: nothing is decided here.
  const settings = await appSettings({ workers: 0 }, 'doctor')()
  const engine = {
    fieldCaps: ({ path, url }: { readonly path: string; readonly url: object }) =>
      target.get(`${path}?${new URLSearchParams(Object.entries(url))}`),
  }
  const found: Searched[] = []
  for await (const line of readLines(file)) {
    const { text } = line
    const body = bodyOf(file, line, fields)
    found.push({ search: text, ...(await diagnose({ index, parameters: {}, body }, settings, engine)) })
    if (found.length === maxQueries) break
  }
  return found
}

/** A line that begins with { or [ is a body. Words are searched in the text fields of the index, or in all where it is not known. */
function bodyOf(file: string, { text, number }: Line, fields: Fields | undefined): unknown {
  if (/^\s*[{[]/.test(text)) return parsedBody(file, text, number)
  return { query: { multi_match: { query: text, ...(fields !== undefined && { fields: fields.text }) } } }
}

function parsedBody(file: string, text: string, number: number): unknown {
  const body = jsonOf(text)
  if (isObject(body)) return body
  throw lineError(file, number, 'this is neither words nor the body of a search', {
    remedy: 'Write each body as one JSON object on one line.',
  })
}

function* report(
  origin: string,
  { engine, version }: { readonly engine: string; readonly version: string | undefined },
  fields: Fields | undefined,
  searches: readonly Searched[] | undefined,
): Generator<string> {
  yield `${origin} answers: ${engine} ${version ?? 'of an unknown version'}`
  if (fields === undefined) yield 'Add --name with your index, to see which of its fields hold text.'
  else {
    yield `Text fields: ${fields.text.join(', ') || 'none'}; ${count(fields.others.length, 'other field')}`
    const named = (names: readonly string[]) => fields.text.filter((name) => names.includes(name))
    yield `Read as titles: ${named(titleNames).join(', ') || 'none'}. As texts: ${named(textNames).join(', ') || 'what a search names'}`
  }
  if (searches === undefined) {
    yield 'Add --queries with your searches, to see which can change.'
    return
  }
  if (searches.length === 0) return yield 'The file of --queries has no searches.'
  for (const { search, canChange, reason } of searches.slice(0, maxListed)) {
    const can = reason === undefined ? 'can change' : `can change, by re-ranking alone: ${reason}`
    yield `- ${canChange ? can : `passes through: ${reason}`}\n    ${clip(search, 60)}`
  }
  const changing = searches.filter(({ canChange }) => canChange)
  const reranked = changing.filter(({ reason }) => reason !== undefined)
  const passed = searches.filter(({ canChange }) => !canChange)
  yield `${changing.length} of ${count(searches.length, 'search', 'searches')} can change`
  yield* counted(reranked, 'by re-ranking alone. Without this, other words could be searched, too:')
  yield* counted(passed, 'pass through. Without this, more could change:')
}

/** The reasons of these searches, the most frequent first. */
function* counted(searches: readonly Searched[], what: string): Generator<string> {
  if (searches.length === 0) return
  yield `  ${searches.length} ${what}`
  const counts = new Map<string, number>()
  for (const { reason = '' } of searches) counts.set(reason, (counts.get(reason) ?? 0) + 1)
  for (const [reason, times] of [...counts].toSorted(([, one], [, other]) => other - one))
    yield `    ${times} × ${reason}`
}
