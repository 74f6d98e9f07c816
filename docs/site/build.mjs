// @ts-check
/**
 * Makes the site of the documentation in `docs/site/html`, for any server of static files: the pages of the checkout, the API
 * reference from the docstrings, the HTTP endpoints, and llms.txt. A dead link or a complaint of typedoc is an error.
 *
 *     npm run site                          the whole site
 *     SITE_URL=https://… npm run site       with the address that it will have, for cards of links
 *     npx --prefix docs/site vitepress preview   looks at it
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { docSections, llmsFullTxt, llmsTxt } from '../../scripts/doc-index.mjs'
import { root } from '../../scripts/steps.mjs'

const site = join(root, 'docs/site')
const [pages, html] = [join(site, 'pages'), join(site, 'html')]

install()
execFileSync('npx', ['tsc', '-p', site], { cwd: root, stdio: 'inherit' })
for (const folder of [pages, html]) rmSync(folder, { recursive: true, force: true })
const { writePages } = await import('./pages.mjs')
const { writeApi } = await import('./api.mjs')
const { openapiPage } = await import('./openapi.mjs')
const { homePage } = await import('./home.mjs')
const { checkSite } = await import('./check.mjs')

writePages(root, pages)
write('index.md', homePage(docSections(), readFileSync(join(root, 'README.md'), 'utf8')))
cpSync(join(root, 'docs/card.png'), join(pages, 'public/card.png'))
await writeApi(root, join(pages, 'api'))
for (const name of ['serve', 'reward-server']) {
  const file = `${name}.openapi.json`
  const text = readFileSync(join(root, 'schema', file), 'utf8')
  write(`http/${name}.md`, openapiPage(JSON.parse(text), `/${file}`))
  write(`public/${file}`, text)
}
write('public/llms.txt', llmsTxt())
write('public/llms-full.txt', llmsFullTxt())

execFileSync('npx', ['vitepress', 'build'], { cwd: site, stdio: 'inherit' })
// llms.txt leads to the pages as they were written.
for (const { path } of docSections().flatMap(({ pages }) => pages)) cpSync(join(root, path), join(html, path))
const { files, megabytes } = checkSite(html)
console.log(`${files} pages, ${megabytes} MB, all links checked: ${html}`)

/** The packages of the site are beside it, since nobody else needs them: typedoc, an older TypeScript for it, VitePress. */
function install() {
  const at = (/** @type {string} */ path) =>
    statSync(join(site, path), { throwIfNoEntry: false })?.mtimeMs ?? 0
  if (at('package-lock.json') <= at('node_modules/.package-lock.json')) return
  execFileSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], { cwd: site, stdio: 'inherit' })
}

/** @param {string} path @param {string} text */
function write(path, text) {
  const file = join(pages, path)
  if (existsSync(file)) throw new Error(`Two pages of the site have the address ${path}`)
  mkdirSync(dirname(file), { recursive: true })
  writeFileSync(file, text)
}
