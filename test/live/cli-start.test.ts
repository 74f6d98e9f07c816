/** How soon `querent` starts: what it loads, which is exact, and how long that takes beside Node itself, which is not. */
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { leastMs, node } from '../support/least-ms.ts'
import { runCommand } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const main = fileURLToPath(new URL('../../dist/src/cli/main.js', import.meta.url))
const inline = (source: string) => `data:text/javascript,${encodeURIComponent(source)}`

/** The modules that a command loads. What CommonJS packages load of themselves is not among them. */
async function loadedBy(...argv: readonly string[]): Promise<string[]> {
  const list = join(await temporaryFolder(), 'modules')
  const hooks = inline(`import { appendFileSync } from 'node:fs'
    export async function load(url, context, next) {
      appendFileSync(${JSON.stringify(list)}, url + '\\n')
      return next(url, context)
    }`)
  const register = inline(`import { register } from 'node:module'; register(${JSON.stringify(hooks)})`)
  await node('--import', register, main, ...argv)
  const urls = (await readFile(list, 'utf8')).trim().split('\n')
  return urls.filter((url) => url.startsWith('file:'))
}

const packagesOf = (urls: readonly string[]): Set<string> =>
  new Set(urls.flatMap((url) => /\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1] ?? []))

/** An index of made-up documents: a hundred of them answer the query. */
async function indexOf(documents: number): Promise<string> {
  const folder = await temporaryFolder()
  const words = Array.from({ length: 5000 }, (_, number) => `word${number.toString(36)}ing`)
  const lines = Array.from({ length: documents }, (_, number) => {
    const text = Array.from({ length: 90 }, (_, place) => words[(number * 91 + place * place) % words.length])
    return JSON.stringify({
      _id: `d${number}`,
      title: `Bridge ${number}`,
      text: `${text.join(' ')}${number % 100 === 0 ? ' an opera' : ''}`,
    })
  })
  await writeFile(join(folder, 'corpus.jsonl'), lines.join('\n'))
  const out = join(folder, 'index')
  expect(await runCommand(['index', join(folder, 'corpus.jsonl'), '--out', out])).toMatchObject({ status: 0 })
  return out
}

describe('querent starts', () => {
  it('with nothing but its list of commands', async () => {
    for (const flag of ['--version', '--help']) {
      const loaded = await loadedBy(flag)
      expect(packagesOf(loaded)).toEqual(new Set(['commander']))
      expect(loaded.length).toBeLessThan(15)
    }
  })

  it('with one command, and without what that one can do without', async () => {
    const index = await indexOf(100)
    const loaded = await loadedBy('search', 'an opera', '--index', index)
    const packages = packagesOf(loaded)
    for (const heavy of ['openai', 'undici', 'prom-client', 'cockatiel', 'lossless-json'])
      expect(packages).not.toContain(heavy)
    expect(loaded.filter((url) => /\/(training|evaluation|apps)\//.test(url)).length).toBeLessThan(10)
    expect(loaded.length).toBeLessThan(305)
  })

  it('to tell its version, within three times the time of Node', async () => {
    const runs = 10
    const [bare, version] = [await leastMs(runs, '-e', '0'), await leastMs(runs, main, '--version')]
    expect(version / bare).toBeLessThan(3)
  })

  it('to search 10,000 documents, within 0.6 s', async () => {
    const argv = ['search', 'which opera has a bridge in it', '--index', await indexOf(10_000)]
    const [bare, search] = [await leastMs(5, '-e', '0'), await leastMs(5, main, ...argv)]
    // On a machine where Node takes longer than 45 ms to start, so much more.
    expect(search).toBeLessThan(600 * Math.max(1, bare / 45))
  })
})
