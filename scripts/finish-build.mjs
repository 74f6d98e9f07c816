// @ts-check
/**
 * After tsc: the command's file is made executable, the shipped policies are put where the built files look for them, and the
 * published schema of traces is written.
 */
import { chmodSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { z } from 'zod'
import { traceSchema } from '../dist/src/trace-schema.js'

chmodSync('dist/src/cli/main.js', 0o755)

for (const name of readdirSync('policies/local/shipped').filter((file) => file.endsWith('.json')))
  cpSync(`policies/local/shipped/${name}`, `dist/policies/local/shipped/${name}`)

const schema = {
  title: 'Trace',
  description: 'What happened in one search of Querent.',
  ...z.toJSONSchema(traceSchema),
}
mkdirSync('schema', { recursive: true })
writeFileSync('schema/trace.schema.json', `${JSON.stringify(schema, null, 2)}\n`)
