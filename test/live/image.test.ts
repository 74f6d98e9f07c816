/**
 * What the last stage of the Dockerfile puts into the image, put into a folder and run there: nothing but Node, the package and
 * what it needs, as a user without rights, without an environment, on a file system that cannot be written. Needs no builder of
 * images, but root.
 */
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { chmod, cp, lstat, mkdir, readdir, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { expect, it, onTestFinished, vi } from 'vitest'
import { freePorts } from '../support/free-ports.ts'
import { runCommand } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'

const run = promisify(execFile)
const user = '65532'

/** The root becomes read-only for what follows; `/tmp` stays writable, as with `--read-only --tmpfs /tmp`. */
const confined = `
  mount --bind "$0" "$0" && mount -t tmpfs tmpfs "$0/tmp" && mount -t proc proc "$0/proc" &&
  mount --bind /dev/null "$0/dev/null" && mount -o remount,bind,ro "$0" &&
  cd "$0" && exec chroot --userspec=${user}:${user} "$0" "$@"`

const canConfine = await run('unshare', ['-m', 'sh', '-c', 'mount -t tmpfs tmpfs /mnt']).then(
  () => true,
  () => false,
)
const instructions = readFileSync('examples/docker/Dockerfile', 'utf8').split('\n')
const listAfter = (name: string): string[] => {
  const line = instructions.findLast((one) => one.startsWith(name))!
  return JSON.parse(line.slice(line.indexOf('[')))
}

async function assembleRoot(): Promise<string> {
  const root = await temporaryFolder()
  // mkdtemp keeps others out.
  await chmod(root, 0o755)
  const put = async (from: string, to: string): Promise<void> => {
    await mkdir(dirname(join(root, to)), { recursive: true })
    await cp(from, join(root, to), { recursive: true, dereference: true })
  }
  for (const folder of ['tmp', 'proc', 'dev', 'data']) await mkdir(join(root, folder))
  await writeFile(join(root, 'dev/null'), '')
  await put(process.execPath, '/nodejs/bin/node')
  const { stdout } = await run('ldd', [process.execPath])
  for (const [library] of stdout.matchAll(/\/lib\S+/g)) await put(library, library)
  await run(process.execPath, ['scripts/pack.mjs'])
  const { packages } = JSON.parse(readFileSync('package-lock.json', 'utf8'))
  for (const [path, { dev, devOptional, optional, peer }] of Object.entries<Record<string, boolean>>(
    packages,
  ))
    if (path !== '' && !dev && !devOptional && !optional && !peer) await put(path, `/app/${path}`)
  const own = join(root, 'app/node_modules/querent')
  await mkdir(own, { recursive: true })
  await run('tar', ['-xzf', '.querent/package.tgz', '--strip-components', '1', '-C', own])
  return root
}

async function bytesIn(folder: string): Promise<number> {
  const paths = await readdir(folder, { recursive: true })
  const sizes = await Promise.all(paths.map((path) => lstat(join(folder, path))))
  return sizes.reduce((sum, one) => sum + (one.isFile() ? one.size : 0), 0)
}

function started(root: string, argv: readonly string[]) {
  const child = spawn('unshare', ['-m', 'sh', '-c', confined, root, ...listAfter('ENTRYPOINT'), ...argv], {
    env: { PATH: process.env.PATH, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  const said = { text: '' }
  child.stderr.on('data', (chunk) => (said.text += chunk))
  const ended = once(child, 'exit')
  return {
    until: (text: string) =>
      vi.waitFor(() => expect(said.text).toContain(text), { timeout: 60_000, interval: 50 }),
    async stop() {
      child.kill('SIGTERM')
      return (await ended)[0]
    },
  }
}

it.skipIf(!canConfine)('what the Dockerfile assembles runs without rights (needs root)', async () => {
  const root = await assembleRoot()
  // The base image has time zones and certificates beside Node: some 3 MB.
  const megabytes = (await bytesIn(root)) / 1e6
  expect(megabytes).toBeLessThan(195)

  const engine = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1')
  onTestFinished(() => void engine.close())
  await once(engine, 'listening')
  const target = `http://127.0.0.1:${(engine.address() as AddressInfo).port}`
  const [proxyPort, servePort] = (await freePorts(2)) as [number, number]
  const proxy = started(root, ['proxy', '--target', target, '--port', String(proxyPort), '--metrics'])
  await proxy.until('Listening on')
  const [node, flag, code] = listAfter('HEALTHCHECK').map((word) => word.replace('9292', String(proxyPort)))
  const check = () => run('chroot', [`--userspec=${user}:${user}`, root, node!, flag!, code!])
  await check()
  expect((await fetch(`http://127.0.0.1:${proxyPort}/articles/_doc/1`)).status).toBe(200)
  expect(await proxy.stop()).toBe(0)
  await expect(check()).rejects.toMatchObject({ code: 1 })

  const made = await runCommand(['index', 'src/sample', '--out', join(root, 'data/index')])
  expect(made.status).toBe(0)
  const words = ['serve', '--index', '/data/index', '--processes', '2', '--port', String(servePort)]
  const serve = started(root, words)
  await serve.until('2 workers share the port.')
  const found = await fetch(`http://127.0.0.1:${servePort}/search?q=opera`)
  expect(found.status).toBe(200)
  expect(((await found.json()) as { hits: unknown[] }).hits.length).toBeGreaterThan(0)
  expect(await serve.stop()).toBe(0)
})
