/** `npm run release` in a repository of its own, made of this checkout's files. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const run = promisify(execFile)
let clone: string

const git = async (...words: readonly string[]) => {
  const who = ['-c', 'user.name=Tester', '-c', 'user.email=tester@example.org']
  return (await run('git', [...who, ...words], { cwd: clone })).stdout.trim()
}
const file = (path: string) => readFile(join(clone, path), 'utf8')

/** The script in the clone, without `verify`, which this test is a part of. */
async function release(...words: readonly string[]) {
  const script = join(clone, 'scripts/release.mjs')
  return run(process.execPath, [script, ...words, '--verified'], { cwd: clone }).then(
    ({ stdout }) => ({ status: 0, said: stdout }),
    (error: { readonly code: number; readonly stderr: string }) => ({
      status: error.code,
      said: error.stderr,
    }),
  )
}

beforeAll(async () => {
  clone = await mkdtemp(join(tmpdir(), 'querent-release-'))
  const { stdout } = await run('git', ['ls-files', '-z', '--cached', '--others', '--exclude-standard'])
  for (const path of stdout.split('\0').filter(Boolean)) {
    await mkdir(dirname(join(clone, path)), { recursive: true })
    await cp(path, join(clone, path)).catch((error: NodeJS.ErrnoException) => {
      // Deleted, and not yet committed.
      if (error.code !== 'ENOENT') throw error
    })
  }
  await symlink(resolve('node_modules'), join(clone, 'node_modules'))
  // The state after an earlier release.
  const released = (await file('CHANGELOG.md')).replace(/ - unreleased$/m, ' - 2026-01-01')
  await writeFile(
    join(clone, 'CHANGELOG.md'),
    released.replace(/^## \[/m, '## [Unreleased]\n\n### Fixed\n\n- A fault.\n\n## ['),
  )
  await git('init', '-q', '-b', 'main')
  await git('add', '-A')
  await git('commit', '-qm', 'All')
})

afterAll(() => rm(clone, { recursive: true, force: true }))

describe('npm run release refuses', () => {
  const spoiled: readonly (readonly [string, () => Promise<unknown>, () => Promise<unknown>, RegExp])[] = [
    [
      'a tree with changes',
      () => writeFile(join(clone, 'new.txt'), ''),
      () => git('clean', '-fq'),
      /not committed/,
    ],
    [
      'another branch',
      () => git('checkout', '-qb', 'other'),
      () => git('checkout', '-q', 'main'),
      /the branch other/,
    ],
    ['a version with a tag', () => git('tag', 'v9.8.7'), () => git('tag', '-d', 'v9.8.7'), /tag v9\.8\.7/],
  ]
  it.each(spoiled)('%s', async (_, spoil, mend, reason) => {
    await spoil()
    const { status, said } = await release('9.8.7')
    await mend()
    expect([status, said]).toEqual([1, expect.stringMatching(reason)])
  })

  it.each([
    [[], /name one version/],
    [['next'], /name one version/],
    [['1.0.0', '2.0.0'], /name one version/],
  ])('%j', async (words, reason) => {
    expect(await release(...words)).toEqual({ status: 1, said: expect.stringMatching(reason) })
  })
})

it('is a dry run unless it is told to write, and its checksums are those of the package', async () => {
  const { version } = JSON.parse(await file('package.json')) as { readonly version: string }
  const { status, said } = await release('9.8.7')
  expect([status, said]).toEqual([0, expect.stringContaining('A dry run')])
  expect(await git('status', '--porcelain')).toBe('')
  expect(JSON.parse(await file('package.json')).version).toBe(version)
  const folder = join(clone, '.querent/release')
  expect((await readdir(folder)).sort()).toEqual([
    'querent-9.8.7.cdx.json',
    'querent-9.8.7.tgz',
    'querent-9.8.7.tgz.sha256',
  ])
  const bill = JSON.parse(await readFile(join(folder, 'querent-9.8.7.cdx.json'), 'utf8'))
  expect([bill.bomFormat, bill.metadata.component.purl]).toEqual(['CycloneDX', 'pkg:npm/querent@9.8.7'])
  const names = (bill.components as readonly { readonly name: string }[]).map(({ name }) => name)
  const { dependencies } = JSON.parse(await file('package.json'))
  expect(names).toEqual(expect.arrayContaining(Object.keys(dependencies)))
  // Each is there by its own choice, or needed by one that is.
  const refs = new Set(bill.dependencies.map(({ ref }: { readonly ref: string }) => ref))
  const needed = bill.dependencies.flatMap(({ dependsOn }: { readonly dependsOn: string[] }) => dependsOn)
  expect(needed.filter((ref: string) => !refs.has(ref))).toEqual([])
  expect(names).not.toContain('vitest')
  const content = await readFile(join(folder, 'querent-9.8.7.tgz'))
  const digest = createHash('sha256').update(content).digest('hex')
  expect(said).toContain(digest)
  expect(await readFile(join(folder, 'querent-9.8.7.tgz.sha256'), 'utf8')).toContain(digest)
  const { stdout } = await run('tar', ['-xzOf', join(folder, 'querent-9.8.7.tgz'), 'package/package.json'])
  expect(JSON.parse(stdout).version).toBe('9.8.7')
})

it('writes the version and the date, and says what is left to do', async () => {
  const { version } = JSON.parse(await file('package.json')) as { readonly version: string }
  const [major, minor] = version.split('.').map(Number) as [number, number]
  const next = `${major}.${minor + 1}.0`
  const { status, said } = await release('minor', '--write')
  expect(status, said).toBe(0)
  expect(said).toContain(`git tag v${next}`)
  expect(said).toContain('npm publish --provenance')
  expect((await git('diff', '--name-only')).split('\n')).toEqual([
    'CHANGELOG.md',
    'package-lock.json',
    'package.json',
  ])
  expect(JSON.parse(await file('package.json')).version).toBe(next)
  expect(JSON.parse(await file('package-lock.json')).version).toBe(next)
  const today = new Date().toISOString().slice(0, 10)
  expect(await file('CHANGELOG.md')).toContain(`## [${next}] - ${today}\n\n### Fixed\n\n- A fault.\n`)
  // What is released cannot be released again.
  await git('commit', '-qam', 'Version')
  expect(await release('patch')).toEqual({ status: 1, said: expect.stringContaining('Unreleased') })
})
