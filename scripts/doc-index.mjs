// @ts-check
/** The index by task of `docs/README.md`, and what is made from it: `llms.txt` and `llms-full.txt` (https://llmstxt.org). */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './steps.mjs'

/**
 * @typedef {object} DocPage
 * @property {string} path from the root of the checkout
 * @property {string} title
 * @property {string} summary the first sentence of the page
 */

/** @typedef {{ readonly title: string, readonly pages: readonly DocPage[] }} DocSection */

/**
 * The tasks in their order, each with its pages. A page that several tasks name is in the first of them.
 *
 * @returns {readonly DocSection[]}
 */
export function docSections() {
  const seen = new Set()
  const sections = read('docs/README.md').split(/^\*\*(?=[^*]+\*\*)/m)
  return sections.slice(1).map((section) => {
    const links = Array.from(section.matchAll(/\]\(([^)#]+)[^)]*\)/g), ([, link]) => join('docs', link ?? ''))
    const pages = links.flatMap((link) => {
      if (!link.endsWith('.md') || seen.has(link)) return []
      seen.add(link)
      return [docPage(link)]
    })
    return { title: section.split('**')[0] ?? '', pages }
  })
}

/** One line for each page, by task. Links lead to the Markdown files, in the package as on the site. */
export function llmsTxt() {
  const tasks = docSections().map(({ title, pages }) => {
    const lines = pages.map(({ path, title, summary }) => `- [${title}](${path}): ${summary}`)
    return `## ${title}\n\n${lines.join('\n')}\n`
  })
  return `# Querent\n\n> ${summaryOf(read('README.md'))}\n\n${tasks.join('\n')}`
}

/** The README and all of these pages, one after the other. */
export function llmsFullTxt() {
  const paths = ['README.md', ...docSections().flatMap(({ pages }) => pages.map(({ path }) => path))]
  return paths.map((path) => `<!-- ${path} -->\n\n${read(path)}`).join('\n')
}

/**
 * @param {string} path
 * @returns {DocPage}
 */
function docPage(path) {
  const text = read(path)
  return { path, title: text.match(/^# (.+)$/m)?.[1] ?? path, summary: summaryOf(text) }
}

/**
 * The first sentence after the heading, without marks.
 *
 * @param {string} text
 */
function summaryOf(text) {
  const paragraph = text.split(/^# .+\n+/m)[1]?.split('\n\n')[0] ?? ''
  const plain = paragraph.replace(/\[([^\]]*)\]\([^)]*\)/g, '$1').replace(/\*(\w[^*]*)\*/g, '$1')
  return plain.match(/^.+?\.(?= |$)/s)?.[0] ?? plain
}

/** @param {string} path */
const read = (path) => readFileSync(join(root, path), 'utf8')
