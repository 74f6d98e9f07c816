// @ts-check
/** Brings the MCP Inspector, which judges MCP servers. It needs a newer Node than this project: run it with `newestNode` of `steps.mjs`. */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { cache } from './engines/cache.mjs'
import { run } from './steps.mjs'

/** 110 MB with what it depends on. */
const version = '2.12.0'
const folder = join(cache, `verify-inspector-${version}`)

/** Its program, for Node 22.19 and up. */
export const inspector = join(folder, 'node_modules/.bin/mcp-inspector')

/** @returns {Promise<true | string>} true, or what is missing and why */
export async function installInspector() {
  if (existsSync(inspector)) return true
  console.error('inspector: installing the MCP Inspector')
  const quietly = ['--no-audit', '--no-fund', '--ignore-scripts', '--loglevel', 'error']
  await run(['npm', 'install', '--prefix', folder, ...quietly, `@modelcontextprotocol/inspector@${version}`])
  return existsSync(inspector) || 'inspector: npm could not install it'
}
