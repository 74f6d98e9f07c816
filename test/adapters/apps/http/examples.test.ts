/** The examples of docs/http.md pass a strict compiler, and answer a request that lacks its parameter with 400. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { expect, it } from 'vitest'
import { temporaryFolder } from '../../../support/temporary-folder.ts'
import { served } from './http-server.ts'

/** What stands before an example in an application, by what the example imports. */
const before = {
  'querent/fetch': "import { Hono } from 'hono'\nconst app = new Hono()",
  'querent/express': "import express from 'express'\nexport const app = express()",
  'querent/koa': "import Koa from 'koa'\nexport const app = new Koa()",
  'querent/node-request': "import { createServer } from 'node:http'",
} as const
type Entry = keyof typeof before

/** The sources of what the examples import. */
const sources: Readonly<Record<string, string>> = {
  querent: 'src/index.ts',
  'querent/fetch': 'adapters/apps/http/fetch.ts',
  'querent/express': 'adapters/apps/http/express.ts',
  'querent/koa': 'adapters/apps/http/koa.ts',
  'querent/node-request': 'adapters/apps/http/node-request.ts',
}

const optimizer = `import { createOptimizer } from 'querent'
const optimizer = createOptimizer({
  retrievers: [
    {
      name: 'shelf',
      retrieve: async (subQueries) =>
        subQueries.map((subQuery) => ({
          retriever: 'shelf',
          subQuery,
          hits: [{ docid: subQuery.text, score: 1, rank: 1 }],
        })),
    },
  ],
})`

/** The first example that imports this, as a module of an application. */
function exampleOf(entry: Entry): string {
  const blocks = [...readFileSync('docs/http.md', 'utf8').matchAll(/```ts\n([\s\S]*?)```/g)]
  const example = blocks.map(([, block]) => block!).find((block) => block.includes(`'${entry}'`))
  return `${before[entry]}\n${optimizer}\n${example}`.replaceAll(
    /from '(querent[^']*)'/g,
    (_, name: string) => {
      return `from '${resolve(sources[name]!)}'`
    },
  )
}

const entries = Object.keys(before) as Entry[]
const fileOf = (entry: Entry): string => `${entry.replace('querent/', '')}.ts`

/** A folder with all examples, as a project of an application of its own. */
async function project(): Promise<string> {
  const folder = await temporaryFolder()
  await symlink(resolve('node_modules'), join(folder, 'node_modules'))
  for (const entry of entries) await writeFile(join(folder, fileOf(entry)), exampleOf(entry))
  // The compiler of this package, which is stricter than --strict, but for what a package alone has to heed.
  const compilerOptions = {
    rootDir: '/',
    typeRoots: [resolve('node_modules/@types')],
    rewriteRelativeImportExtensions: false,
    declaration: false,
  }
  const include = ['*.ts', resolve('adapters/search/*.d.ts')]
  const config = { extends: resolve('tsconfig.json'), compilerOptions, include }
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(config))
  await writeFile(join(folder, 'package.json'), '{"type": "module"}')
  return folder
}

it('the examples pass a strict compiler', async () => {
  const compiler = promisify(execFile)(resolve('node_modules/.bin/tsc'), ['-p', await project()])
  const { stdout } = await compiler.catch((error: { readonly stdout: string }) => error)
  expect(stdout).toBe('')
}, 60_000)

it.each(['querent/express', 'querent/koa'] as const)(
  'the handler of %s answers, and refuses a request without its parameter',
  async (entry) => {
    const { app } = await import(/* @vite-ignore */ join(await project(), fileOf(entry)))
    app.silent = true
    const send = await served(entry === 'querent/koa' ? app.callback() : app)
    const found = await send('/books?title=dune')
    expect([found.status, await found.json()]).toMatchObject([200, [{ docid: 'dune' }]])
    for (const parameters of ['', '?title=a&title=b', '?title[a]=b'])
      expect((await send(`/books${parameters}`)).status, parameters).toBe(400)
  },
)
