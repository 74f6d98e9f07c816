/** Where there is no Node, what needs none runs: nothing of Node is imported, nor used as a global. */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { graphOf } from '../../../support/import-graph.ts'
import { temporaryFolder } from '../../../support/temporary-folder.ts'

const run = promisify(execFile)

describe.each(['adapters/apps/http/fetch.ts', 'src/index.ts'])('%s', (entry) => {
  it('leads to no import of Node, and to no package but zod', () => {
    const { files, packages } = graphOf([resolve(entry)])
    expect(files.length).toBeGreaterThan(10)
    expect(packages).toEqual(['zod'])
  })
})

it('sees what is imported: the shells of Node lead to it', () => {
  const [express, koa] = ['express', 'koa'].map((name) => graphOf([resolve(`adapters/apps/http/${name}.ts`)]))
  expect(express!.packages).toContain('node:stream')
  expect(express!.packages).not.toContain('express')
  expect(koa!.packages).not.toContain('koa')
})

it("searches and answers in a world that has the web's globals alone, and where text is not code", async () => {
  const folder = await temporaryFolder()
  await writeFile(
    join(folder, 'tsconfig.json'),
    JSON.stringify({
      extends: resolve('scripts/tsconfig.build.json'),
      compilerOptions: {
        noCheck: true,
        declaration: false,
        types: [],
        rootDir: resolve('.'),
        outDir: 'built',
      },
      include: [],
      files: ['src/index.ts', 'adapters/apps/http/fetch.ts'].map((file) => resolve(file)),
    }),
  )
  await run(process.execPath, ['node_modules/typescript/bin/tsc', '-p', folder])
  const built = join(folder, 'built')
  expect(existsSync(join(built, 'adapters/apps/http/fetch.js'))).toBe(true)
  await writeFile(join(built, 'package.json'), '{"type": "module"}')
  const script = 'test/adapters/apps/http/web-only.mjs'
  const { stdout } = await run(process.execPath, [
    '--experimental-vm-modules',
    '--no-warnings',
    script,
    built,
  ])
  const [json, stream, refused] = JSON.parse(stdout)
  expect(json.status).toBe(200)
  expect(JSON.parse(json.body)).toMatchObject({ hits: [{ docid: 'a' }] })
  expect(stream.body.trim().split('\n')).toHaveLength(3)
  expect([refused.status, JSON.parse(refused.body).errors]).toEqual([
    400,
    [{ pointer: '#/k', detail: 'must be 1 or more' }],
  ])
})
