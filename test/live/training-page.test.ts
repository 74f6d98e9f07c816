/** docs/training-llm.md, typed as it stands by somebody without a GPU: a scripted model stands for the one in training. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { copyFile, mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { delimiter, dirname, join, resolve } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { trlPython } from '../../scripts/install-system.mjs'
import { completion, failure, startChatServer } from '../support/chat-server.ts'
import { freePorts } from '../support/free-ports.ts'
import { blocksOf } from '../support/markdown.ts'
import { ended } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { writeTrainingWorld } from '../support/training-world.ts'

const typed = blocksOf('docs/training-llm.md', 'sh').join('\n')
const isForGpu = (line: string): boolean => line.endsWith('# GPU')
const hasTrl = existsSync(trlPython)

/** What a search engine's model would say. As servers with several models do, it knows no other name. */
async function startModel(): Promise<string> {
  let asked = 0
  const server = await startChatServer(({ body }) => {
    if (body.model !== 'stage-1') return failure(404, `The model ${body.model} does not exist.`)
    const said = (body.messages as readonly { readonly content: string }[]).map(({ content }) => content)
    if (said.join().includes('[No Retrieval]')) return completion('[No Retrieval]')
    const question = said.at(-1)!.trimEnd().split('\n').at(-1)!
    return completion(asked++ % 3 === 0 ? 'no JSON' : JSON.stringify({ query: question }))
  })
  onTestFinished(() => server.close())
  return server.url
}

/** A folder as the page's reader has it: a collection, the package's examples, and `npx querent`. */
async function readersFolder(): Promise<string> {
  const folder = await temporaryFolder()
  const collection = join(folder, 'my-collection')
  await mkdir(join(collection, 'qrels'), { recursive: true })
  await writeTrainingWorld(collection)
  for (const split of ['train', 'test'])
    await copyFile(join(collection, 'qrels.train.tsv'), join(collection, 'qrels', `${split}.tsv`))
  // Rollouts of policies that answer are rewarded by accepted answers.
  const queries = join(collection, 'queries.jsonl')
  const answered = (await readFile(queries, 'utf8')).replaceAll(/\}$/gm, ',"metadata":{"answer":"arlow"}}')
  await writeFile(queries, answered)
  await symlink(resolve('examples'), join(folder, 'examples'))
  await writeFile(
    join(folder, 'npx'),
    `#!/bin/sh\nshift\nexec "${process.execPath}" "${resolve('dist/src/cli/main.js')}" "$@"\n`,
    { mode: 0o755 },
  )
  return folder
}

it('every command runs that needs no GPU, in the order of the page', async () => {
  const cwd = await readersFolder()
  const [port] = await freePorts(1)
  const env = {
    PATH: [cwd, dirname(trlPython), process.env.PATH].join(delimiter),
    HOME: cwd,
    HF_HUB_OFFLINE: '1',
    CUDA_VISIBLE_DEVICES: '',
    PYTHONDONTWRITEBYTECODE: '1',
    QUERENT_URL: `http://127.0.0.1:${port}`,
  }
  if (hasTrl) {
    const made = await ended(
      spawn(trlPython, [resolve('test/live/trl/make_model.py'), 'Qwen/Qwen2.5-3B'], { cwd, env }),
    )
    expect(made.status, made.errors.slice(-4000)).toBe(0)
  }
  const lines = typed.split('\n').filter((line) => !isForGpu(line) && (hasTrl || !line.startsWith('python ')))
  // Addresses alone are others than the page's: it shares its machine with other tests.
  const script = lines
    .join('\n')
    .replaceAll('http://localhost:8000/v1', await startModel())
    .replaceAll('querent reward-server', `querent reward-server --port ${port}`)
  const last = `for try in 1 2 3 4 5 6 7 8 9; do curl -sf $QUERENT_URL/health && exit; sleep 1; done; exit 9`
  const shell = ['set -e', "trap 'kill $(jobs -p)' EXIT", script, last].join('\n')
  const { status, output, errors } = await ended(spawn('bash', ['-c', shell], { cwd, env }))
  expect(status, `${output.slice(-2000)}\n${errors.slice(-4000)}`).toBe(0)
  expect(errors).not.toMatch(/404|could not/)
  const rows = async (name: string) => (await readFile(join(cwd, name), 'utf8')).trim().split('\n').length
  expect(await rows('train.json')).toBe(72)
  expect(await rows('sft.json')).toBeGreaterThan(0)
  expect(await rows('stage-two.json')).toBeGreaterThan(0)
  expect(await rows('steps.jsonl')).toBeGreaterThan(0)
  if (hasTrl) expect(existsSync(join(cwd, 'trial', 'model.safetensors'))).toBe(true)
})

it.skipIf(!hasTrl)('what needs a GPU has flags that there are', async () => {
  const gpu = typed.split('\n').filter(isForGpu)
  expect(gpu).not.toEqual([])
  for (const line of gpu) {
    const [, file, flags] = /^python (\S+)(.*)# GPU$/.exec(line)!
    const help = await ended(spawn(trlPython, ['-B', file!, '--help']))
    for (const [flag] of flags!.matchAll(/--[\w-]+/g)) expect(help.output).toContain(flag)
  }
})
