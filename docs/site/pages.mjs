// @ts-check
/**
 * The Markdown pages of the checkout as pages of the site. Links between pages stay, other files that they link to come along as plain
 * text, and a linked folder gets a page that lists it, so that every link of the documentation works.
 */
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, normalize } from 'node:path'

/** Pages with an address of their own. */
const addresses = /** @type {Readonly<Record<string, string>>} */ ({
  'README.md': 'overview.md',
  '.github/CONTRIBUTING.md': 'contributing.md',
  '.github/SECURITY.md': 'security.md',
  'CHANGELOG.md': 'changelog.md',
  'docs/README.md': 'docs/index.md',
  'bench/README.md': 'bench/index.md',
})

/** @param {string} path of a Markdown page, from the root of the checkout */
export const addressOf = (path) =>
  addresses[path] ?? (/^(docs|bench\/results)\/[\w-]+\.md$/.test(path) ? path : `source/${path}`)

/**
 * Writes the pages, beginning with these and going on to everything that they link to.
 *
 * @param {string} root of the checkout
 * @param {string} out
 */
export function writePages(root, out) {
  const queue = [...Object.keys(addresses), ...pagesIn(root, 'docs'), ...pagesIn(root, 'bench/results')]
  const seen = new Set(queue)

  /**
   * The address of a link from a page, which is made if it has not been.
   *
   * @param {string} page
   * @param {string} link
   */
  const follow = (page, link) => {
    const [path = '', anchor] = link.split('#')
    const target = path === '' ? page : normalize(join(dirname(page), path)).replace(/\/$/, '')
    // What is not there is VitePress's to complain about.
    if (!existsSync(join(root, target))) return link
    if (statSync(join(root, target)).isFile() && !target.endsWith('.md')) {
      const address = /\.(svg|png)$/.test(target) ? target : `source/${target}.txt`
      mkdirSync(join(out, 'public', dirname(address)), { recursive: true })
      cpSync(join(root, target), join(out, 'public', address))
      return `/${address}`
    }
    if (!seen.has(target)) queue.push(target)
    seen.add(target)
    return `/${pageAddress(root, target)}${anchor === undefined ? '' : `#${anchor}`}`
  }

  for (let path = queue.shift(); path !== undefined; path = queue.shift()) {
    const page = path
    const text = textOf(root, page).replaceAll(
      /(```[\s\S]*?^ *```)|\]\((?![a-z]+:)([^)\s]+)\)/gm,
      (found, code, link) => (code === undefined ? `](${follow(page, link)})` : found),
    )
    const file = join(out, pageAddress(root, page))
    mkdirSync(dirname(file), { recursive: true })
    writeFileSync(file, text)
  }
}

/** @param {string} root @param {string} path of a file or a folder */
function pageAddress(root, path) {
  if (statSync(join(root, path)).isDirectory()) return `source/${path}/index.md`
  return addressOf(path)
}

/** @param {string} root @param {string} path */
function textOf(root, path) {
  const at = join(root, path)
  if (statSync(at).isDirectory()) {
    const names = readdirSync(at, { withFileTypes: true }).filter(({ name }) => !/^(\.|__)/.test(name))
    const lines = names.map((entry) => `- [${entry.name}](${join(basename(path), entry.name)})`)
    return `---\nsearch: false\n---\n# ${path}\n\n${lines.join('\n')}\n`
  }
  return withoutContents(readFileSync(at, 'utf8'))
}

/** A page of the site has its contents beside it. @param {string} text */
const withoutContents = (text) => text.replace(/^(?:- \[[^\]]*\]\(#[^)]*\).*\n){2,}\n/m, '')

/** @param {string} root @param {string} folder */
const pagesIn = (root, folder) =>
  readdirSync(join(root, folder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `${folder}/${name}`)
