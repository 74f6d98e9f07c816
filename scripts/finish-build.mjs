// @ts-check
/**
 * After tsc: the command's file is made executable, the shipped policies, the near words and the compiled products are put where
 * the built files look for them, and the published schemas of traces and of `querent.json` are written, the OpenAPI documents of the
 * servers, and `llms.txt`.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { gzipSync } from 'node:zlib'
import { z } from 'zod'
import { servedApi } from '../dist/adapters/apps/http/openapi/served.js'
import { rewardApi } from '../dist/adapters/apps/reward-server/openapi.js'
import { commands } from '../dist/src/cli/commands/index.js'
import { configSchema } from '../dist/src/cli/settings/config-schema.js'
import { version } from '../dist/src/index-folder/version.js'
import { traceSchema } from '../dist/src/trace-schema.js'
import { llmsTxt } from './doc-index.mjs'

chmodSync('dist/src/cli/main.js', 0o755)

const shipped = readdirSync('policies/local/shipped').filter((file) => file.endsWith('.json'))
mkdirSync('dist/policies/local/shipped')
// More than half of the package, if they were not compressed. `ownFile` finds them.
for (const file of [...shipped.map((name) => `policies/local/shipped/${name}`), 'src/text/near-words.txt'])
  writeFileSync(`dist/${file}.gz`, gzipSync(readFileSync(file), { level: 9 }))
cpSync('src/learn/products.wasm', 'dist/src/learn/products.wasm')

mkdirSync('schema', { recursive: true })
publish('trace.schema', {
  title: 'Trace',
  description: 'What happened in one search of Querent.',
  ...z.toJSONSchema(traceSchema),
})
publish('config.schema', configSchema(await Promise.all(commands.map(({ settings }) => settings()))))
publish('serve.openapi', servedApi(version))
publish('reward-server.openapi', rewardApi(version))
writeFileSync('llms.txt', llmsTxt())

/** @param {string} name @param {object} schema */
function publish(name, schema) {
  writeFileSync(`schema/${name}.json`, `${JSON.stringify(schema, null, 2)}\n`)
}
