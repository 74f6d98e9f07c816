// @ts-check
/**
 * Before tsc: makes one HTML file of the page's source, and writes it as a module, so that a handler can answer with it
 * wherever it runs. The page loads nothing from elsewhere.
 */
import { createHash } from 'node:crypto'
import { readFileSync, writeFileSync } from 'node:fs'
import { build } from 'esbuild'

const { outputFiles } = await build({
  entryPoints: ['src/page/main.tsx', 'src/page/style.css'],
  bundle: true,
  write: false,
  outdir: 'src/page',
  format: 'esm',
  target: 'es2023',
  minify: true,
  charset: 'utf8',
  tsconfig: 'src/page/tsconfig.json',
  banner: { js: '/* Includes preact (MIT, Jason Miller). */' },
})
const textOf = (/** @type {string} */ ending) =>
  // What would end the element inside of which it stands is written in another way.
  outputFiles
    .find(({ path }) => path.endsWith(ending))
    ?.text.trim()
    .replaceAll('</', '<\\/') ?? ''
const [script, style] = [textOf('.js'), textOf('.css')]
const [head = '', body = '', tail = '', foot = ''] = readFileSync('src/page/index.html', 'utf8').split(
  /\/\* style \*\/|"the data"|\/\* script \*\//,
)
const hashOf = (/** @type {string} */ text) =>
  `'sha256-${createHash('sha256').update(text).digest('base64')}'`

const hashes = { styleHash: hashOf(style), scriptHash: hashOf(script) }
const parts = { head, style, body, tail, script, foot, ...hashes }
writeFileSync(
  'src/built-page.ts',
  `/** The parts of the page to look at a search: head, style, body, data, tail, script, foot. Made from src/page/ by scripts/build-page.mjs. */
${Object.entries(parts)
  .map(([name, text]) => `export const ${name}: string = ${JSON.stringify(text)}\n`)
  .join('')}`,
)
