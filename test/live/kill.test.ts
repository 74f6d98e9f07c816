/**
 * `kill -9` at any moment of `querent index --dense`, and of `querent index --add`: what answers afterwards is the old index or
 * the new one, whole, and the next run completes without embedding anything twice.
 *
 * The moments come from what the build does to its folder: every change of a file or folder in it is an event, a whole
 * build has some number of them, and build after build is killed at another. Texts are embedded by a server that counts
 * those whose vectors it has sent. The batch under way at the moment of the kill may be sent and not yet written down; a
 * batch is 32 texts.
 */
import { type FSWatcher, watch } from 'node:fs'
import { cp, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { loadFaissLibrary } from '../../adapters/search/faiss-library.ts'
import { startOpenAIServer } from '../support/openai-server.ts'
import { seed } from '../support/seed.ts'
import { ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/tier.ts'

const missing = await loadFaissLibrary().then(
  () => '',
  (error: Error) => error.message,
)

const numberedMoments = 20
/** Each push takes every fourth of them, beginning where the seed says, so that four pushes may take all. */
const taken = Array.from({ length: numberedMoments }, (_, moment) => moment).filter(
  (moment) => isFull || moment % 4 === seed % 4,
)
const batch = 32
const oldCount = 60
const newCount = 300

/** The text that an embedder is asked for once, to learn the size of its vectors. */
const probe = 'dimensions'

describe.skipIf(missing !== '').each(['--dense', '--add'])(
  `kill -9 of querent index %s (needs faiss-node: ${missing})`,
  (way) => {
    it(`leaves the old index or the new one, and embeds nothing twice, at each of ${taken.length + 3} moments`, async () => {
      const folder = await temporaryFolder()
      const path = (name: string) => join(folder, name)
      const server = await startOpenAIServer({})
      const env = { OPENAI_BASE_URL: server.url }
      // Every tenth text of the new corpus is that of another document, and the old corpus shares its first 20.
      const texts = Array.from(
        { length: newCount },
        (_, number) => `shared word, text ${number - (number % 10 === 9 ? 1 : 0)}`,
      )
      await writeCorpus(
        path('old.jsonl'),
        texts.slice(0, 20).concat(numbered('old text', oldCount - 20)),
        'old',
      )
      await writeCorpus(path('new.jsonl'), texts, 'new')
      const distinct = new Set(texts)
      const newTexts = [...distinct].filter((text) => !texts.slice(0, 20).includes(text))

      const index = (corpus: string, out: string) => [
        'index',
        path(corpus),
        '--out',
        out,
        '--dense',
        '--model',
        'openai:scripted',
      ]
      const change = (out: string) =>
        way === '--add' ? ['index', '--add', path('new.jsonl'), '--out', out] : index('new.jsonl', out)
      const search = async (out: string) => {
        const { status, output, errors } = await runCommand(
          ['search', 'shared word text', '--index', out, '--policy', 'none', '--json', '-k', '500'],
          env,
        )
        expect([status, errors]).toEqual([0, ''])
        return JSON.parse(output).hits as { docid: string; score: number }[]
      }
      /** The corpus texts that were embedded while `work` ran. */
      const embeddedDuring = async (work: () => Promise<unknown>) => {
        const before = server.embedded.length
        await work()
        return server.embedded.slice(before).filter((text) => text !== probe)
      }

      expect((await runCommand(index('old.jsonl', path('pristine')), env)).status).toBe(0)
      await cp(path('pristine'), path('whole'), { recursive: true })
      const counter = watchFolder(path('whole'))
      const whole = await embeddedDuring(async () => {
        expect(await runCommand(change(path('whole')), env)).toMatchObject({ status: 0 })
      })
      const events = counter.close()
      // What the old index has embedded is not embedded again, nor any text twice.
      expect(whole.sort()).toEqual([...newTexts].sort())
      const answers = { old: await search(path('pristine')), new: await search(path('whole')) }

      // Spread over the whole build, at another place of its part each: 0.618… times the moment, without the whole.
      const spread = taken.map((moment) =>
        Math.max(1, Math.floor(((moment + ((moment * 0.618) % 1)) / numberedMoments) * events)),
      )
      // And the three that matter most: the manifest is written beside, it is swapped in, what it superseded is removed.
      const oldGeneration = JSON.parse(await readFile(path('pristine/index.json'), 'utf8'))
        .generation as string
      const killMoments: (number | string)[] = [...spread, 'index.json.part', 'index.json', oldGeneration]

      const outcomes: { readonly answering: 'old' | 'new'; readonly line: string }[] = []
      for (const [place, moment] of killMoments.entries()) {
        const out = path(`killed-${place}`)
        await cp(path('pristine'), out, { recursive: true })
        const killed = await embeddedDuring(async () => {
          const child = spawnCli(change(out), env)
          const watched = watchFolder(out, (count, file) => {
            const named = file?.replace(/\.[0-9a-f]{16}\.part$/, '.part')
            if (moment === count || moment === named) child.kill('SIGKILL')
          })
          await ended(child)
          watched.close()
        })

        const manifest = JSON.parse(await readFile(join(out, 'index.json'), 'utf8'))
        const answering = manifest.documents === oldCount ? 'old' : 'new'
        expect(await search(out), `after event ${moment} of ${events}`).toEqual(answers[answering])

        const completed = await embeddedDuring(async () => {
          expect(await runCommand(change(out), env)).toMatchObject({ status: 0 })
        })
        expect(await search(out)).toEqual(answers.new)
        const all = [...killed, ...completed]
        expect(new Set(all)).toEqual(new Set(newTexts))
        const twice = all.length - newTexts.length
        expect(twice, `texts embedded twice after event ${moment}`).toBeLessThanOrEqual(batch)
        outcomes.push({
          answering,
          line: `${moment}: ${answering}, ${killed.length} embedded before, ${twice} twice`,
        })

        expect(await embeddedDuring(() => runCommand(change(out), env))).toEqual([])
        expect((await readdir(out)).sort()).toEqual([
          expect.stringMatching(/^embeddings-/),
          expect.stringMatching(/^generation-/),
          'index.json',
        ])
      }
      expect(new Set(outcomes.map(({ answering }) => answering))).toEqual(new Set(['old', 'new']))
      process.stdout.write(
        `Seed ${seed}, killed at event of ${events}:\n${outcomes.map(({ line }) => line).join('\n')}\n`,
      )
    })
  },
)

function numbered(text: string, count: number): string[] {
  return Array.from({ length: count }, (_, number) => `${text} ${number}`)
}

async function writeCorpus(path: string, texts: readonly string[], name: string): Promise<void> {
  await writeFile(
    path,
    texts.map((text, number) => `${JSON.stringify({ _id: `${name}-${number}`, text })}\n`).join(''),
  )
}

/** Counts what happens to the files in a folder and in the folders that appear in it. */
function watchFolder(folder: string, onEvent: (count: number, file: string | null) => void = () => {}) {
  let count = 0
  const watchers = new Map<string, FSWatcher>()
  const watchOne = (path: string) => {
    if (watchers.has(path)) return
    const watcher = watch(path, (_event, file) => {
      onEvent(++count, file)
      if (path === folder && file?.startsWith('generation-')) tryToWatch(join(folder, file))
    })
    // A folder that is removed while it is watched.
    watchers.set(
      path,
      watcher.on('error', () => {}),
    )
  }
  const tryToWatch = (path: string) => {
    try {
      watchOne(path)
    } catch {
      // Gone already.
    }
  }
  watchOne(folder)
  return {
    close() {
      for (const watcher of watchers.values()) watcher.close()
      return count
    },
  }
}
