import { readFile } from 'node:fs/promises'
import { textNames, titleNames } from '../../../adapters/apps/drop-in/answer/hit-texts.ts'
import { type Diagnosis, diagnose } from '../../../adapters/apps/drop-in/diagnose.ts'
import { isObject } from '../../../adapters/apps/drop-in/json.ts'
import { appSettings } from '../../../adapters/apps/drop-in/settings.ts'
import { QuerentError } from '../../errors.ts'
import { readLines } from '../../evaluation/lines.ts'
import { openTargetClient, type TargetClient } from '../open/ask-target.ts'
import { count } from '../output/count.ts'
import { print, printJson, type Terminal } from '../output/terminal.ts'
import { clip } from '../output/truncate.ts'
import type { DoctorSettings } from '../settings/doctor-settings.ts'
import { required } from '../settings/setting.ts'

/** More would hide what is common to them. */
const maxQueries = 10

interface Fields {
  /** Fields that hold text in every index, in the order of the engine. */
  readonly text: readonly string[]
  readonly others: number
}

/** `querent doctor --target <url> --name <index> --queries <file>` */
export async function runDoctor(
  _: readonly string[],
  settings: DoctorSettings,
  terminal: Terminal,
): Promise<void> {
  const ca = settings.ca === undefined ? undefined : await readCertificate(settings.ca)
  const target = openTargetClient(required(settings, 'target'), ca, terminal)
  try {
    const engine = await engineOf(target)
    const fields = settings.name === undefined ? undefined : await fieldsOf(target, settings.name)
    const searches =
      settings.queries === undefined ? [] : await diagnosesOf(settings.queries, settings.name, fields, target)
    if (settings.json) return printJson(terminal, { target: target.origin, ...engine, fields, searches })
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
    )
  const engine = version.distribution === 'opensearch' ? 'opensearch' : 'elasticsearch'
  return { engine, version: typeof version.number === 'string' ? version.number : undefined }
}

/** @throws QuerentError `bad-config` for an index that there is not */
async function fieldsOf(target: TargetClient, index: string): Promise<Fields> {
  const { status, body } = await target.get(`/${encodeURIComponent(index)}/_field_caps?fields=*`)
  const caps = isObject(body) && isObject(body.fields) ? body.fields : undefined
  if (status >= 400 || caps === undefined)
    throw new QuerentError(
      'bad-config',
      `The fields of ${index} cannot be read: the cluster answers ${status}`,
      {
        remedy: 'Check --name, and that the credentials may read the index.',
      },
    )
  const names = Object.keys(caps).filter((name) => !name.startsWith('_') && !isObjectField(caps[name]))
  const text = names.filter((name) => Object.keys(caps[name] as object).every((type) => type === 'text'))
  return { text, others: names.length - text.length }
}

const isObjectField = (types: unknown): boolean =>
  Object.keys(types as object).every((type) => type === 'object' || type === 'nested')

/** What would become of each search of the file. */
async function diagnosesOf(
  file: string,
  index: string | undefined,
  fields: Fields | undefined,
  target: TargetClient,
): Promise<({ readonly search: string } & Diagnosis)[]> {
  // Threads would only have to end again: nothing is decided here.
  const settings = await appSettings({ workers: 0 }, 'doctor')()
  const engine = {
    fieldCaps: ({ path, url }: { readonly path: string; readonly url: object }) =>
      target.get(`${path}?${new URLSearchParams(Object.entries(url))}`),
  }
  const found: ({ readonly search: string } & Diagnosis)[] = []
  for await (const { text } of readLines(file)) {
    const body = bodyOf(text, fields)
    found.push({ search: text, ...(await diagnose({ index, parameters: {}, body }, settings, engine)) })
    if (found.length === maxQueries) break
  }
  return found
}

/** A line with words searches the text fields of the index, or all fields where it is not known. */
function bodyOf(line: string, fields: Fields | undefined): unknown {
  try {
    const body: unknown = JSON.parse(line)
    if (isObject(body)) return body
  } catch {
    // It is words.
  }
  return { query: { multi_match: { query: line, ...(fields !== undefined && { fields: fields.text }) } } }
}

function* report(
  origin: string,
  { engine, version }: { readonly engine: string; readonly version: string | undefined },
  fields: Fields | undefined,
  searches: readonly ({ readonly search: string } & Diagnosis)[],
): Generator<string> {
  yield `${origin} answers: ${engine} ${version ?? 'of an unknown version'}`
  if (fields === undefined) yield 'Add --name with your index, to see which of its fields hold text.'
  else {
    yield `Text fields: ${fields.text.join(', ') || 'none'}; ${count(fields.others, 'other field')}`
    const named = (names: readonly string[]) => fields.text.filter((name) => names.includes(name))
    yield `Read as titles: ${named(titleNames).join(', ') || 'none'}. As texts: ${named(textNames).join(', ') || 'what a search names'}`
  }
  if (searches.length === 0) yield 'Add --queries with your searches, to see what is optimized.'
  const passed = searches.filter(({ reason }) => reason !== undefined).length
  for (const one of searches) {
    const shown = clip(one.search, 60)
    if (one.reason !== undefined) yield `- passes through: ${one.reason}\n    ${shown}`
    else if (one.notReranked !== undefined)
      yield `- optimized; not re-ranked: ${one.notReranked}\n    ${shown}`
    else yield `- optimized\n    ${shown}`
  }
  if (searches.length > 0)
    yield `${searches.length - passed} of ${count(searches.length, 'search', 'searches')} would be optimized`
}

function readCertificate(path: string): Promise<string> {
  return readFile(path, 'utf8').catch((cause: unknown) => {
    throw new QuerentError('missing-file', `The certificate ${path} cannot be read`, { cause })
  })
}
