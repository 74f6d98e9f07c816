/** The engine's interface as the suite describes it: which path, method and parameters a named call has. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface ApiPath {
  readonly path: string
  readonly methods: readonly string[]
  readonly parts?: Readonly<Record<string, unknown>>
}

interface Api {
  readonly url: { readonly paths: readonly ApiPath[] }
  readonly params?: Readonly<Record<string, unknown>>
  readonly body?: unknown
}

/** By name; `_common` has the parameters of all. */
export type Apis = ReadonlyMap<string, Api>

export interface NamedCall {
  readonly api: string
  readonly parameters: Readonly<Record<string, string>>
  readonly hasBody: boolean
}

export interface Address {
  readonly method: string
  readonly path: string
}

/** @param folder of the suite */
export function readApis(folder: string): Apis {
  const root = join(folder, 'api')
  return new Map(
    readdirSync(root).map((file): [string, Api] => {
      const described = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, Api>
      const name = file.replace(/\.json$/, '')
      return [name, (described[name] ?? described) as Api]
    }),
  )
}

/**
 * Where a call goes. There may be several ways to write it: the seed chooses, so that all are taken, and each test takes
 * the same ones every time.
 *
 * @throws Error where the suite's description has no such call
 */
export function addressOf(apis: Apis, { api: name, parameters, hasBody }: NamedCall, seed: string): Address {
  const api = apis.get(name)
  if (api === undefined) throw new Error(`There is no ${name}`)
  if (hasBody && api.body === undefined) throw new Error(`${name} has no body`)
  const suitable = api.url.paths.filter(({ parts = {} }) =>
    Object.keys(parts).every((part) => part in parameters),
  )
  const most = Math.max(...suitable.map(({ parts = {} }) => Object.keys(parts).length))
  const best = suitable.filter(({ parts = {} }) => Object.keys(parts).length === most)
  const { path, methods, parts = {} } = chosen(best, seed)
  const query = new URLSearchParams()
  for (const [parameter, value] of Object.entries(parameters)) {
    if (parameter in parts) continue
    if (!(parameter in (api.params ?? {})) && !(parameter in (apis.get('_common')?.params ?? {})))
      throw new Error(`${name} has no parameter ${parameter}`)
    query.set(parameter, value)
  }
  const filled = path.replace(/\{(\w+)\}/g, (_, part: string) =>
    encodeURIComponent(parameters[part]!).replaceAll('%2C', ','),
  )
  return { method: chosen(methods, seed), path: query.size === 0 ? filled : `${filled}?${query}` }
}

function chosen<T>(among: readonly T[], seed: string): T {
  return among[createHash('sha256').update(seed).digest().readUInt16BE() % among.length]!
}
