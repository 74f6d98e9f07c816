import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import type { IncomingHttpHeaders } from 'node:http'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { Dtype, ModelProgress } from '../../../adapters/models/model-files.ts'
import { findModel } from '../../../adapters/models/model-folder.ts'
import { expectError } from '../../support/expect-error.ts'
import { type LoopbackServer, startLoopbackServer } from '../../support/loopback-server.ts'

const files: Readonly<Record<string, string>> = {
  'config.json': '{}',
  'tokenizer.json': '{"model": {}}',
  'tokenizer_config.json': '{}',
  'modules.json':
    '[{"type": "st.Transformer"}, {"type": "st.Pooling", "path": "1_Pooling"}, {"type": "st.Dense", "path": "2_Dense"}]',
  '1_Pooling/config.json': '{"pooling_mode_cls_token": true}',
  '2_Dense/config.json': '{"in_features": 1, "out_features": 1}',
  '2_Dense/model.safetensors': 'numbers',
  'onnx/model.onnx': 'weights',
}
const fp32 = { dtype: 'fp32' } as const

let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'querent-models-'))
  vi.stubEnv('QUERENT_CACHE', join(folder, 'cache'))
  vi.stubEnv('HF_TOKEN', undefined)
  vi.stubEnv('HF_HUB_OFFLINE', undefined)
  // Nothing listens there: no test reaches the real hub.
  vi.stubEnv('HF_ENDPOINT', 'http://127.0.0.1:9')
})
const hubs: LoopbackServer[] = []
afterEach(async () => {
  vi.useRealTimers()
  vi.unstubAllEnvs()
  for (const hub of hubs.splice(0)) await hub.close()
  await rm(folder, { recursive: true })
})

interface Asked {
  readonly path: string
  readonly headers: IncomingHttpHeaders
}

/** A model hub on loopback. It sends half of `stalling` and waits, or half of `short` and ends. */
async function startHub({
  files: served = files,
  repository = 'acme/tiny',
  stalling,
  short,
}: {
  readonly files?: Readonly<Record<string, string>>
  readonly repository?: string
  readonly stalling?: string
  readonly short?: string
} = {}): Promise<{ readonly asked: readonly Asked[] }> {
  const asked: Asked[] = []
  const hub = await startLoopbackServer((request, response) => {
    const { url: path = '', headers } = request
    asked.push({ path, headers })
    const file = path.replace(`/${repository}/resolve/main/`, '')
    const content = served[file]
    if (content === undefined) return response.writeHead(404).end('Entry not found')
    response.writeHead(200, { 'content-length': content.length })
    if (file !== stalling && file !== short) return response.end(content)
    return response.write(content.slice(0, content.length / 2), () => file === short && response.destroy())
  })
  hubs.push(hub)
  vi.stubEnv('HF_ENDPOINT', `${hub.url}/`)
  return { asked }
}

async function writeModel(into: string, content: Readonly<Record<string, string>> = files): Promise<void> {
  for (const [file, text] of Object.entries(content)) {
    await mkdir(dirname(join(into, file)), { recursive: true })
    await writeFile(join(into, file), text)
  }
}

const cached = (): Promise<string[]> => readdir(join(folder, 'cache/models'), { recursive: true })

describe('a folder', () => {
  it('is used as it is', async () => {
    const given = join(folder, 'my-model')
    await writeModel(given)
    expect(await findModel(given, fp32)).toEqual({
      name: 'my-model',
      folder: given,
      weights: join(given, 'onnx/model.onnx'),
    })
  })

  it('may hold its weights at the top', async () => {
    const { 'onnx/model.onnx': weights, ...others } = files
    await writeModel(folder, { ...others, 'model.onnx': weights! })
    expect(await findModel(folder, fp32)).toMatchObject({ weights: join(folder, 'model.onnx') })
  })

  it.each<[string, Dtype, RegExp]>([
    ['tokenizer.json', 'fp32', /tokenizer\.json/],
    ['onnx/model.onnx', 'fp32', /onnx\/model\.onnx or model\.onnx/],
    ['config.json', 'int8', /config\.json.*onnx\/model_int8\.onnx/],
  ])('without %s is refused for %s', async (left, dtype, message) => {
    const { [left]: _, ...others } = files
    await writeModel(folder, others)
    const found = findModel(folder, { dtype })
    await expectError(found, 'missing-model', message)
  })

  it('that does not exist is not looked for elsewhere', async () => {
    const { asked } = await startHub()
    await expectError(findModel('./nowhere', fp32), 'missing-model', /\.\/nowhere/)
    expect(asked).toEqual([])
  })
})

describe('a name', () => {
  it.each(['a/b/c', 'acme/../tiny', 'acme/..', 'tiny model', '.hidden', 'acme/', 'https://x'])(
    'is not %s',
    async (name) => {
      await expectError(findModel(name, fp32), 'bad-config')
    },
  )

  it('is fetched from the hub once', async () => {
    const { asked } = await startHub()
    vi.stubEnv('HF_TOKEN', 'hf-secret')
    const found = await findModel('acme/tiny', fp32)
    const place = join(folder, 'cache/models/acme/tiny')
    expect(found).toEqual({ name: 'acme/tiny', folder: place, weights: join(place, 'onnx/model.onnx') })
    expect(await readFile(found.weights, 'utf8')).toBe('weights')
    for (const [file, content] of Object.entries(files))
      expect(await readFile(join(place, file), 'utf8')).toBe(content)
    expect(asked[0]).toMatchObject({
      path: '/acme/tiny/resolve/main/config.json',
      headers: { authorization: 'Bearer hf-secret', 'accept-encoding': 'identity' },
    })

    const before = asked.length
    expect(await findModel('acme/tiny', fp32)).toEqual(found)
    expect(asked).toHaveLength(before)
  })

  it('without an owner is one of sentence-transformers', async () => {
    await startHub({ repository: 'sentence-transformers/tiny' })
    expect(await findModel('tiny', fp32)).toMatchObject({ folder: join(folder, 'cache/models/tiny') })
  })

  it('has a place of its own for int8', async () => {
    await startHub({ files: { ...files, 'onnx/model_quantized.onnx': 'small' } })
    const { weights } = await findModel('acme/tiny', { dtype: 'int8' })
    expect(weights).toBe(join(folder, 'cache/models/acme/tiny-int8/onnx/model_quantized.onnx'))
    expect(await cached()).not.toContain('acme/tiny-int8/onnx/model.onnx')
  })

  it('reports how far a download is', async () => {
    await startHub()
    const seen: ModelProgress[] = []
    await findModel('acme/tiny', { ...fp32, onProgress: (progress) => seen.push(progress) })
    expect(seen.at(-1)).toEqual({ step: 'downloading onnx/model.onnx', done: 7, total: 7 })
  })

  it('is looked for in XDG_CACHE_HOME where there is no cache of our own', async () => {
    vi.stubEnv('QUERENT_CACHE', undefined)
    vi.stubEnv('XDG_CACHE_HOME', folder)
    const place = join(folder, 'querent/models/tiny')
    await writeModel(place)
    expect(await findModel('tiny', fp32)).toMatchObject({ folder: place })
  })

  it('leaves nothing behind of a file that came short', async () => {
    await startHub({ short: 'onnx/model.onnx' })
    await expectError(findModel('acme/tiny', fp32), 'missing-model')
    expect(await cached()).toEqual(['acme'])
  })

  describe('of which a file stops in the middle', () => {
    /** Fetches it; `half` has happened when the first half has come and the second is waited for. */
    async function fetchHalf(
      signal?: AbortSignal,
    ): Promise<{ found: Promise<unknown>; half: Promise<void> }> {
      await startHub({ stalling: 'onnx/model.onnx' })
      let found: Promise<unknown> | undefined
      const half = new Promise<void>((resolve) => {
        const onProgress = ({ step }: ModelProgress): void => {
          if (step.includes('onnx')) setImmediate(resolve)
        }
        found = findModel('acme/tiny', { ...fp32, signal, onProgress })
      })
      return { found: found!, half }
    }

    it('leaves nothing behind when the caller aborts', async () => {
      const controller = new AbortController()
      const reason = new Error('enough')
      const { found, half } = await fetchHalf(controller.signal)
      await half
      controller.abort(reason)
      await expect(found).rejects.toMatchObject({ code: 'aborted', cause: reason })
      expect(await cached()).toEqual(['acme'])
    })

    it('is given up after half a minute', async () => {
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const { found, half } = await fetchHalf()
      await half
      vi.advanceTimersByTime(30_000)
      await expectError(found, 'missing-model', /onnx\/model\.onnx.* 30000 ms/)
      expect(await cached()).toEqual(['acme'])
    })
  })

  it('may be fetched by several at once', async () => {
    await startHub()
    const found = await Promise.all([1, 2, 3].map(() => findModel('acme/tiny', fp32)))
    expect(new Set(found.map(({ weights }) => weights)).size).toBe(1)
    expect(await readFile(found[0]!.weights, 'utf8')).toBe('weights')
    expect((await cached()).filter((name) => name.includes('partial'))).toEqual([])
  })

  it('is fetched again where its folder was damaged', async () => {
    await startHub()
    const place = join(folder, 'cache/models/acme/tiny')
    await writeModel(place, { 'config.json': '{}' })
    expect(await findModel('acme/tiny', fp32)).toMatchObject({ folder: place })
  })

  it('takes the opportunity to remove what was left behind a day ago', async () => {
    await startHub()
    const models = join(folder, 'cache/models')
    const yesterday = Date.now() / 1000 - 25 * 3600
    for (const name of ['.partial-old', '.partial-new']) await mkdir(join(models, name), { recursive: true })
    await utimes(join(models, '.partial-old'), yesterday, yesterday)
    await findModel('acme/tiny', fp32)
    expect((await readdir(models)).sort()).toEqual(['.partial-new', 'acme'])
  })

  it.each([
    ['that is not there', {}, /http.*acme\/tiny.*config\.json/],
    ['without its weights', { ...files, 'onnx/model.onnx': undefined }, /onnx\/model\.onnx or model\.onnx/],
  ])('%s gets an error that says where it was looked for', async (_, served, message) => {
    await startHub({ files: served as Record<string, string> })
    const found = findModel('acme/tiny', fp32)
    await expectError(found, 'missing-model', message)
    await expectError(found, 'missing-model', /cache\/models\/acme\/tiny/)
    expect(await cached()).toEqual(['acme'])
  })

  it('asks no hub when that is forbidden', async () => {
    const { asked } = await startHub()
    vi.stubEnv('HF_HUB_OFFLINE', '1')
    await expectError(findModel('acme/tiny', fp32), 'missing-model', /HF_HUB_OFFLINE/)
    expect(asked).toEqual([])
  })
})
