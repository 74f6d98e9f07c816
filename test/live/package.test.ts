/** The package as npm would publish it, from what is built, in a folder of its own that has nothing else but its dependencies. */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { build } from 'esbuild'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
const manifest: {
  readonly exports: Readonly<Record<string, unknown>>
  readonly dependencies: Readonly<Record<string, string>>
  readonly peerDependencies: Readonly<Record<string, string>>
} = JSON.parse(readFileSync('package.json', 'utf8'))

/** Frameworks that the docs show beside Querent. Who follows these pages has them. */
const frameworks = ['@llamaindex/core', '@searchkit/api']

/** An application with the package installed, and one that has its optional peers and their types as well. */
let plain: string
let full: string
/** Everything in the tarball. */
let files: string[]

beforeAll(async () => {
  await run(process.execPath, ['scripts/pack.mjs'])
  plain = await install(Object.keys(manifest.dependencies))
  full = await install([
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    ...frameworks,
    ...readdirSync('node_modules/@types').map((name) => `@types/${name}`),
  ])
  const entries = readdirSync(join(plain, 'node_modules/querent'), { recursive: true, withFileTypes: true })
  const start = join(plain, 'node_modules/querent/').length
  files = entries
    .filter((entry) => entry.isFile())
    .map(({ parentPath, name }) => join(parentPath, name).slice(start))
})

afterAll(async () => {
  for (const folder of [plain, full]) await rm(folder, { recursive: true, force: true })
})

/** Unpacks the tarball where npm would, and links these packages beside it: no network is needed. */
async function install(packages: readonly string[]): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'querent-package-'))
  const modules = join(folder, 'node_modules')
  await mkdir(join(modules, 'querent'), { recursive: true })
  await run('tar', [
    ...['-xzf', '.querent/package.tgz', '--strip-components', '1'],
    ...['-C', join(modules, 'querent')],
  ])
  for (const name of packages) {
    await mkdir(dirname(join(modules, name)), { recursive: true })
    await symlink(resolve('node_modules', name), join(modules, name))
  }
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  return folder
}

/** What a module of the application prints, as JSON. */
async function printed(folder: string, code: string): Promise<unknown> {
  // From a file: the paths of all files are too long for an argument.
  await writeFile(join(folder, 'printed.mjs'), code)
  const { stdout } = await run(process.execPath, ['printed.mjs'], { cwd: folder, maxBuffer: 1e8 })
  return JSON.parse(stdout)
}

const namesIn = (folder: string, ending: string): string[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith(ending))
    .map((name) => name.slice(0, -ending.length))

/** Every specifier that the package may be imported by. */
function specifiers(): string[] {
  return Object.entries(manifest.exports).flatMap(([entry, target]) => {
    if (target === null || entry.endsWith('.json')) return []
    const specifier = entry.replace(/^\./, 'querent')
    if (!entry.includes('*')) return [specifier]
    return namesIn('fusion', '.ts').map((name) => `querent/fusion/${name}`)
  })
}

describe('the tarball', () => {
  it('has what a user needs, and nothing that only the project needs', () => {
    const folders = /^(dist|docs|examples|schema|skills)\//
    const alone = /^(LICENSE|\.github\/(CONTRIBUTING|SECURITY)\.md|[A-Z]+\.md|llms\.txt|package\.json)$/
    const data = /^(src\/sample\/|bench\/(README|collections|results\/[\w-]+)\.md$)/
    expect(files.filter((file) => ![folders, alone, data].some((one) => one.test(file)))).toEqual([])
    expect(files.filter((file) => /^dist\/(?!(adapters|fusion|policies|src)\/)/.test(file))).toEqual([])
    expect(files.filter((file) => /checkpoint$|__pycache__|\.test\.|experiments/.test(file))).toEqual([])
    // Nobody can import the command line, so nobody reads its types.
    expect(files.filter((file) => /^dist\/src\/cli\/.*\.d\.ts$/.test(file))).toEqual([])
  })

  it('has at most 7 MB when it is unpacked', () => {
    const sizes = files.map((file) => statSync(join(plain, 'node_modules/querent', file)).size)
    expect(sizes.reduce((sum, size) => sum + size)).toBeLessThanOrEqual(7e6)
  })

  it('has what its README links to, and of its documentation all pages', async () => {
    const dead = (page: string, text: string): string[] =>
      [...text.matchAll(/\]\(([^)\s#]+)(?:#[^)\s]*)?\)/g)]
        .map(([, link]) => link!)
        .filter((link) => !/^[a-z]+:/.test(link))
        .filter((link) => !existsSync(join(plain, 'node_modules/querent', dirname(page), link)))
    const read = (page: string) => readFile(join(plain, 'node_modules/querent', page), 'utf8')
    expect(dead('README.md', await read('README.md'))).toEqual([])
    for (const page of files.filter((file) => /^docs\/[\w-]+\.md$/.test(file))) {
      // Sources, which pages for developers link to, are in a checkout alone.
      const sources = /^\.\.\/(src|adapters|fusion|policies|test|bench|scripts)\//
      expect(
        dead(page, await read(page)).filter((link) => !sources.test(link)),
        page,
      ).toEqual([])
    }
  })

  it('has a command that starts', async () => {
    const { stdout } = await run(join(plain, 'node_modules/querent/dist/src/cli/main.js'), ['--version'])
    expect(stdout.trim()).toMatch(/^\d+\.\d+\.\d+/)
  })
})

it('ends as a server with the npx that started it', async () => {
  const bin = join(plain, 'node_modules/.bin')
  await mkdir(bin)
  await symlink('../querent/dist/src/cli/main.js', join(bin, 'querent'))
  const npx = spawn('npx', ['querent', 'serve', '--sample', '--port', '0'], { cwd: plain })
  let said = ''
  npx.stderr.on('data', (text) => {
    if (!said.includes('Listening') && `${said}${text}`.includes('Listening')) npx.kill('SIGTERM')
    said += text
  })
  // Its output ends with the last process that has it: the server.
  await once(npx, 'close')
  expect(said).toContain('stopping')
})

describe('an application that is bundled', () => {
  const app = `
    import { createOptimizer } from 'querent'
    import { querent } from 'querent/elasticsearch'
    import { localPolicy } from 'querent/policies/local'
    console.log(typeof createOptimizer, typeof querent)
    localPolicy().then(({ policy }) => console.log(policy.name), ({ code, remedy }) => console.log(code, remedy))`

  it.each([
    ['esm', 'missing-file'],
    ['cjs', 'missing-file'],
    // The package is kept out of the bundle.
    ['esm', 'local'],
    ['cjs', 'local'],
  ] as const)('as %s, starts; its local policy: %s', async (format, end) => {
    const folder = join(plain, `bundled-${format}`)
    await mkdir(folder, { recursive: true })
    await writeFile(join(folder, 'app.ts'), app)
    const outfile = join(folder, format === 'esm' ? 'app.mjs' : 'app.cjs')
    await build({
      entryPoints: [join(folder, 'app.ts')],
      outfile,
      format,
      bundle: true,
      platform: 'node',
      // What the modules of CommonJS among the dependencies need, as bundlers' own pages say.
      banner: format === 'esm' ? { js: esmRequire } : {},
      external: [...Object.keys(manifest.peerDependencies), ...(end === 'local' ? ['querent'] : [])],
      logLevel: 'silent',
    })
    const { stdout } = await run(process.execPath, [outfile], { cwd: plain })
    expect(stdout).toMatch(`function function\n${end}`)
    expect(stdout.includes('external')).toBe(end === 'missing-file')
  })
})

const esmRequire = `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url)`

describe('its imports', () => {
  it('work in plain JavaScript, without the optional peers', async () => {
    const entries = specifiers()
    expect(entries.length).toBeGreaterThan(50)
    const code = `
      const names = {}
      for (const specifier of ${JSON.stringify(entries)})
        names[specifier] = Object.keys(await import(specifier)).length
      console.log(JSON.stringify(names))`
    const names = (await printed(plain, code)) as Record<string, number>
    expect(Object.keys(names)).toEqual(entries)
    expect(Object.entries(names).filter(([, count]) => count === 0)).toEqual([])
  })

  it('of files work by no path that is not listed', async () => {
    const listed = new Set([
      ...specifiers(),
      'querent/package.json',
      'querent/trace.schema.json',
      'querent/config.schema.json',
      'querent/serve.openapi.json',
      'querent/reward-server.openapi.json',
    ])
    const paths = files.flatMap((file) => {
      const module = file.match(/^dist\/(.+?)(?:\.d\.ts|\.js)$/)?.[1]
      return [file, ...(module === undefined ? [] : [module, module.replace(/^src\//, ''), `${module}.ts`])]
    })
    const unlisted = [...new Set(paths.map((path) => `querent/${path}`))].filter(
      // The pattern fusion/* makes a path of these, where no file is.
      (specifier) => !listed.has(specifier) && !/^querent\/fusion\/[\w-]+\.ts$/.test(specifier),
    )
    const examples = [
      'training/experiments/steps',
      'src/tools.js',
      'fusion/common/pool',
      'tools',
      'dist/src/tools.js',
    ]
    unlisted.push(...examples.map((path) => `querent/${path}`))
    const code = `
      const codes = ${JSON.stringify(unlisted)}.map((specifier) => {
        try { return [specifier, import.meta.resolve(specifier)] }
        catch (error) { return [specifier, error.code] }
      })
      console.log(JSON.stringify(codes))`
    const codes = (await printed(plain, code)) as [string, string][]
    expect(codes.length).toBeGreaterThan(1000)
    expect(codes.filter(([, code]) => code !== 'ERR_PACKAGE_PATH_NOT_EXPORTED')).toEqual([])
    await expect(printed(plain, `await import('querent/training/experiments/steps')`)).rejects.toThrow(
      'ERR_PACKAGE_PATH_NOT_EXPORTED',
    )
  })
})

describe('the imports of README.md and docs/', () => {
  const known = [
    'querent',
    ...Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies }),
    ...frameworks,
  ]
  const packageOf = (specifier: string) => specifier.match(/^(?:@[^/]+\/)?[^/]+/)![0]
  const statements = ['README.md', ...namesIn('docs', '.md').map((name) => `docs/${name}.md`)].flatMap(
    (page) =>
      [...readFileSync(page, 'utf8').matchAll(/^\+?(import\s[^'"]*?from '([^.'][^']*)')/gm)].map(
        ([, statement, specifier]) => ({ page, statement: statement!, specifier: specifier! }),
      ),
  )

  it('are of packages that can be installed', () => {
    const others = statements
      .map(({ specifier }) => packageOf(specifier))
      .filter((name) => !known.includes(name) && !name.startsWith('node:'))
    expect([...new Set(others)].sort()).toEqual([])
  })

  it('compile in the README with the types of nothing else', async () => {
    const example = statements.filter(({ page }) => page === 'README.md')
    expect(example.length).toBeGreaterThan(2)
    await writeFile(join(plain, 'readme.mts'), example.map(({ statement }) => `${statement}\n`).join(''))
    const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2022']
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const compiled = run(process.execPath, [tsc, ...flags, 'readme.mts'], { cwd: plain })
    expect(await compiled.catch(({ stdout }: { stdout: string }) => ({ stdout }))).toMatchObject({
      stdout: '',
    })
  })

  it.each([
    ['nodenext', 'nodenext'],
    ['bundler', 'preserve'],
  ])('compile with moduleResolution %s', async (moduleResolution, module) => {
    expect(statements.length).toBeGreaterThan(30)
    for (const [place, { statement }] of statements.entries())
      await writeFile(join(full, `${place}.ts`), `${statement}\n`)
    const compilerOptions = {
      module,
      moduleResolution,
      target: 'es2023',
      lib: ['es2023'],
      types: ['node'],
      strict: true,
      exactOptionalPropertyTypes: true,
      skipLibCheck: false,
      noEmit: true,
    }
    await writeFile(join(full, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
    const tsc = resolve('node_modules/typescript/bin/tsc')
    const { stdout } = await run(process.execPath, [tsc, '-p', full, '--pretty', 'false'], {
      cwd: full,
    }).catch((error: { stdout: string }) => error)
    // Linked packages lie outside of the folder: what is wrong in their declarations is theirs. Details of an error are indented.
    const errors = stdout.split('\n').filter((line) => line !== '' && !/^(\.\.\/|\s)/.test(line))
    const named = errors.map((line) =>
      line.replace(/^(\d+)\.ts/, (_, place) => `${statements[place]!.page}: ${statements[place]!.statement}`),
    )
    expect(named).toEqual([])
  })
})
