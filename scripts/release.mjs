// @ts-check
/**
 * Prepares a release: checks that everything is ready, sets the version and the date in CHANGELOG.md, builds, packs, lists what
 * comes with the package (SBOM), and prints the checksums and what is left to do. It publishes, commits and pushes nothing.
 *
 *     npm run release -- <version>              a dry run: the files are put back, and the package stays in .querent/release
 *     npm run release -- <version> --write      leaves the changed files to be committed
 *     … --verified                              does not run `npm run verify`, because it has passed for this commit
 *
 * `<version>` is a version, or major, minor or patch.
 */
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { shippedPackages } from './shipped-packages.mjs'
import { root, run } from './steps.mjs'

const changed = ['package.json', 'package-lock.json', 'CHANGELOG.md']

try {
  await release()
} catch (error) {
  console.error(`No release: ${error instanceof Error ? error.message : error}`)
  process.exitCode = 1
}

async function release() {
  const { values, positionals } = parseArgs({
    options: { write: { type: 'boolean', default: false }, verified: { type: 'boolean', default: false } },
    allowPositionals: true,
  })
  const manifest = JSON.parse(read('package.json'))
  const version = nextVersion(manifest.version, positionals)
  const changelog = dated(read('CHANGELOG.md'), version)
  checkRepository(version)
  if (!values.verified && (await run(['npm', 'run', 'verify'])) !== 0) throw new Error('verify failed')

  let isPacked = false
  try {
    execFileSync('npm', ['version', version, '--no-git-tag-version', '--allow-same-version'], { cwd: root })
    writeFileSync(join(root, 'CHANGELOG.md'), changelog)
    if ((await run(['npm', 'run', 'build'], { quiet: 'unless it fails' })) !== 0)
      throw new Error('the build failed')
    console.log([...packed(), ...next(version, manifest)].join('\n'))
    isPacked = true
  } finally {
    if (!values.write || !isPacked) git('checkout', '--quiet', '--', ...changed)
  }
  console.log(
    values.write
      ? `\nWritten: ${changed.join(', ')}`
      : '\nA dry run: nothing is changed. --write writes the files.',
  )
}

/** @param {string} current @param {readonly string[]} given */
function nextVersion(current, [given = '', ...more]) {
  const [major = 0, minor = 0, patch = 0] = current.split('.').map(Number.parseFloat)
  const words = {
    major: `${major + 1}.0.0`,
    minor: `${major}.${minor + 1}.0`,
    patch: `${major}.${minor}.${patch + 1}`,
  }
  const version = Object.hasOwn(words, given) ? words[/** @type {keyof typeof words} */ (given)] : given
  if (more.length > 0 || !/^\d+\.\d+\.\d+(-[\w.]+)?$/.test(version))
    throw new Error('name one version, such as 0.2.0, or major, minor or patch')
  return version
}

/**
 * The changelog with today's date at the section of what is not released.
 *
 * @param {string} text
 * @param {string} version
 */
function dated(text, version) {
  const heading = /^## \[(?:Unreleased\]|([^\]]+)\] - unreleased)$/im
  const [line, named = version] = text.match(heading) ?? []
  if (line === undefined)
    throw new Error('CHANGELOG.md has no section of what is not released, such as ## [Unreleased]')
  if (named !== version) throw new Error(`CHANGELOG.md has a section for ${named}, not for ${version}`)
  const section = text.slice(text.indexOf(line) + line.length).split(/^## /m)[0] ?? ''
  if (!/^- /m.test(section)) throw new Error(`the section of CHANGELOG.md for ${version} is empty`)
  return text.replace(line, `## [${version}] - ${new Date().toISOString().slice(0, 10)}`)
}

/** @param {string} version */
function checkRepository(version) {
  if (git('status', '--porcelain') !== '') throw new Error('there are changes that are not committed')
  const branch = git('branch', '--show-current')
  if (branch !== 'main') throw new Error(`this is the branch ${branch}, not main`)
  if (git('tag', '--list', `v${version}`) !== '') throw new Error(`there is a tag v${version} already`)
}

/** Packs, and describes the file. */
function packed() {
  const folder = join(root, '.querent', 'release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  const words = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const [{ filename, size, entryCount }] = JSON.parse(
    execFileSync('npm', words, { cwd: root, encoding: 'utf8' }),
  )
  const file = join(folder, filename)
  const content = readFileSync(file)
  const digest = (/** @type {string} */ name) => createHash(name).update(content)
  const sha256 = digest('sha256').digest('hex')
  writeFileSync(`${file}.sha256`, `${sha256}  ${filename}\n`)
  const bill = billOfMaterials()
  const billFile = file.replace(/tgz$/, 'cdx.json')
  writeFileSync(billFile, `${JSON.stringify(bill, null, 2)}\n`)
  return [
    `${file}: ${entryCount} files, ${size} bytes`,
    `  sha256     ${sha256}`,
    `  integrity  sha512-${digest('sha512').digest('base64')}`,
    `${billFile}: ${bill.components.length} packages that come with it (CycloneDX)`,
  ]
}

/** What comes with the package. npm leaves out some of it with `--omit dev`, so it is chosen here. */
function billOfMaterials() {
  const words = ['sbom', '--package-lock-only', '--sbom-format', 'cyclonedx']
  const options = /** @type {const} */ ({ cwd: root, encoding: 'utf8', maxBuffer: 2 ** 26 })
  const bill = JSON.parse(execFileSync('npm', words, options))
  const own = bill.metadata.component['bom-ref']
  bill.metadata.component.name = own.replace(/@[^@]*$/, '')
  const shipped = new Set(
    shippedPackages(read('package-lock.json')).map(({ name, version }) => `${name}@${version}`),
  )
  const isShipped = (/** @type {string} */ ref) => ref === own || shipped.has(ref)
  return {
    ...bill,
    components: bill.components.filter((/** @type {any} */ part) => isShipped(part['bom-ref'])),
    dependencies: bill.dependencies
      .filter((/** @type {any} */ { ref }) => isShipped(ref))
      .map((/** @type {any} */ { ref, dependsOn }) => ({ ref, dependsOn: dependsOn.filter(isShipped) })),
  }
}

/**
 * What is left to do.
 *
 * @param {string} version
 * @param {{ repository?: unknown }} manifest
 */
function next(version, { repository }) {
  return [
    '',
    `1. git commit -am "Version ${version}" && git tag v${version} && git push --follow-tags`,
    '2. In CI, on that tag: npm ci && npm publish --provenance --access public',
    '   Provenance needs npm 9.5 or newer, a runner of GitHub Actions (permissions: id-token: write) or of GitLab',
    '   (id_tokens, SIGSTORE_ID_TOKEN), and a public repository that package.json names.',
    ...(repository === undefined
      ? ['   package.json names no repository yet: without it, --provenance fails.']
      : []),
    `3. npm view querent@${version} dist.integrity must be the integrity above, if the files are the same.`,
    '4. Publish the bill of materials (…cdx.json) with the release. Build the image from base images with digests:',
    '   docker build --build-arg BUILD_IMAGE=node:22-slim@sha256:… \\',
    '     --build-arg RUN_IMAGE=gcr.io/distroless/nodejs22-debian12:nonroot@sha256:… -t querent .',
  ]
}

/** @param {string} path */
function read(path) {
  return readFileSync(join(root, path), 'utf8')
}

/** @param {readonly string[]} words */
function git(...words) {
  return execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim()
}
