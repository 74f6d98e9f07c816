/** Schemathesis sends requests that it makes from the OpenAPI documents of both servers, and checks the answers by them. */
import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'
import { describe, expect, it, onTestFinished } from 'vitest'
import { schemathesis } from '../../scripts/install-system.mjs'
import { seed } from '../support/seed.ts'
import { ended, runCommand, spawnCli } from '../support/spawn-cli.ts'
import { temporaryFolder } from '../support/temporary-folder.ts'
import { isFull } from '../support/tier.ts'

const sample = fileURLToPath(new URL('../../src/sample', import.meta.url))

const checks = [
  'not_a_server_error',
  'status_code_conformance',
  'content_type_conformance',
  'response_headers_conformance',
  'response_schema_conformance',
  'allow_header_conformance',
  'unsupported_method',
]

/** TRACE is left out: it is answered with 501, as the documents say. */
const settings = '[phases.coverage]\nunexpected-methods = ["PUT", "PATCH", "DELETE", "OPTIONS", "QUERY"]\n'

/** The 10,000 requests of `--full` took a quarter of an hour on two cores. */
const limit = isFull ? 3 * 3_600_000 : undefined

/**
 * Room for the longest query in an address. Node answers a longer head with 431 and resets the connection, which a client that still
 * sends may see as no answer: `serve-openapi.test.ts` asks for that one.
 */
const env = { NODE_OPTIONS: `--max-http-header-size=${2 ** 18}` }

/** The server on a free port, which has to end well with the test. */
async function started(...argv: readonly string[]): Promise<string> {
  const server = spawnCli([...argv, '--port', '0'], env)
  const end = ended(server)
  onTestFinished(async () => {
    server.kill('SIGTERM')
    expect((await end).status).toBe(0)
  })
  for await (const line of createInterface({ input: server.stderr })) {
    const url = /^Listening on (http:\/\/[\d.]+:\d+)/.exec(line)?.[1]
    if (url !== undefined) return url
  }
  throw new Error('it ended before it listened')
}

/** Fuzzes the server, and returns the number of requests. */
async function fuzzed(url: string, folder: string): Promise<number> {
  const config = join(folder, 'schemathesis.toml')
  await writeFile(config, settings)
  const argv = ['--config-file', config, 'run', `${url}/openapi.json`, '--no-color', '--continue-on-failure']
  const limits = ['--seed', String(seed), '--max-examples', isFull ? '1200' : '10', '--request-timeout', '60']
  const phases = ['--phases', 'examples,coverage,fuzzing', '--suppress-health-check', 'all']
  const { status, output, errors } = await ended(
    spawn(schemathesis, [...argv, ...limits, ...phases, '--checks', checks.join()], { cwd: folder }),
  )
  expect(status, `${output}\n${errors}`.slice(-8000)).toBe(0)
  return Number(/([\d,]+) generated/.exec(output)?.[1]?.replaceAll(',', ''))
}

describe.skipIf(!existsSync(schemathesis))(
  'requests made from the OpenAPI documents (needs Schemathesis: npm run verify installs it)',
  () => {
    it(
      'get no answer that is not described, and no 5xx',
      async () => {
        const folder = await temporaryFolder()
        const index = join(folder, 'index')
        expect((await runCommand(['index', sample, '--out', index])).status).toBe(0)
        const serve = await fuzzed(await started('serve', '--index', index, '--metrics'), folder)
        const rewards = await fuzzed(await started('reward-server', '--index', index), folder)
        expect(serve).toBeGreaterThan(isFull ? 5000 : 200)
        expect(rewards).toBeGreaterThan(isFull ? 5000 : 200)
      },
      limit,
    )
  },
)
