/** An application of examples/apps as a process of its own: as it is started from a terminal, on a free port. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { root } from '../../scripts/steps.mjs'
import { type Ended, ended } from '../support/spawn-cli.ts'

export interface ExampleApp {
  readonly url: string
  /** What it prints to the person who asks. */
  search(words: string): Promise<readonly FoundArticle[]>
  /** Ends it as a service manager does (SIGTERM), and waits until it has ended. */
  stop(): Promise<Ended>
}

interface FoundArticle {
  readonly id: string
  readonly title: string
}

/** @throws Error where the package has not been built, which the optimized ones import, or where the application ends */
export async function startExampleApp(
  name: string,
  env: Readonly<Record<string, string>>,
): Promise<ExampleApp> {
  if (!existsSync(join(root, 'dist')))
    throw new Error('dist is missing, which the applications import: run `npm run build` first')
  const child = spawn(process.execPath, ['--import', 'tsx', `examples/apps/${name}.ts`], {
    cwd: root,
    env: { ...process.env, PORT: '0', ...env },
  })
  const end = ended(child)
  const listening = once(child.stdout, 'data').then(String)
  const first = await Promise.race([listening, end])
  const port = typeof first === 'string' ? /port: (\d+)/.exec(first)?.[1] : undefined
  if (port === undefined) throw new Error(`${name} does not listen: ${JSON.stringify(first)}`)
  const url = `http://127.0.0.1:${port}`
  return {
    url,
    async search(words) {
      const response = await fetch(`${url}/search?q=${encodeURIComponent(words)}`)
      if (!response.ok) throw new Error(`${response.status} ${await response.text()}`)
      return (await response.json()) as readonly FoundArticle[]
    },
    stop() {
      child.kill('SIGTERM')
      return end
    },
  }
}
