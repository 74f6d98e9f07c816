// @ts-check
/**
 * The products of networks in WebAssembly: compiles `src/learn/assembly/products.ts`.
 *
 *     npm run wasm                               renews `src/learn/products.wasm`
 *     node scripts/make-products.mjs --check     fails where it is out of date
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import asc from 'assemblyscript/asc'
import { root } from './steps.mjs'

const target = join(root, 'src', 'learn', 'products.wasm')
const compiled = await compile()
if (!process.argv.includes('--check')) {
  writeFileSync(target, compiled)
  console.log(`${target}: ${compiled.length} bytes`)
} else if (!compiled.equals(readFileSync(target))) {
  console.error('src/learn/products.wasm is not what src/learn/assembly/products.ts compiles to.')
  console.error('Run `npm run wasm` and commit the file.')
  process.exitCode = 1
}

/** @returns {Promise<Buffer>} */
async function compile() {
  const options = '--outFile products.wasm --optimizeLevel 3 --runtime stub --noAssert --enable simd'
  /** @type {Buffer | undefined} */
  let binary
  const { error, stderr } = await asc.main(['src/learn/assembly/products.ts', ...options.split(' ')], {
    readFile: (/** @type {string} */ name, /** @type {string} */ folder) => read(join(root, folder, name)),
    writeFile(/** @type {string} */ _, /** @type {string | Uint8Array} */ contents) {
      binary = Buffer.from(contents)
    },
  })
  if (error !== null || binary === undefined) throw new Error(`asc: ${error?.message}\n${stderr}`)
  return binary
}

/** @param {string} path */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return null
  }
}
