// @ts-check
/** Checks the built site: every link leads to a file and to an anchor in it, and no page loads anything from another host. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join } from 'node:path'

/**
 * @param {string} html the folder
 * @returns {{ files: number, megabytes: number }}
 * @throws Error that names what is wrong
 */
export function checkSite(html) {
  const names = readdirSync(html, { recursive: true, encoding: 'utf8' })
  const pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name, readFileSync(join(html, name), 'utf8')]),
  )
  const anchors = new Map(
    [...pages].map(([name, text]) => [
      name,
      new Set(Array.from(text.matchAll(/ id="([^"]+)"/g), ([, id]) => id)),
    ]),
  )
  const wrong = [...pages].flatMap(([name, text]) => {
    const loaded = text.matchAll(
      /<(?:script|img|iframe|source)\b[^>]*? src="([^"]+)"|<link\b[^>]*? href="([^"]+)"/g,
    )
    const foreign = Array.from(loaded, ([, src, href]) => src ?? href ?? '').filter((url) => isForeign(url))
    const dead = Array.from(text.matchAll(/<a\b[^>]*? href="([^"]+)"/g), ([, href]) => href ?? '').filter(
      (href) => !isForeign(href) && !leads(name, decodeURI(href.replaceAll('&amp;', '&'))),
    )
    return [
      ...foreign.map((url) => `${name} loads ${url} from another host`),
      ...dead.map((href) => `${name} links to ${href}, which is not there`),
    ]
  })
  for (const name of names.filter((name) => name.endsWith('.css'))) {
    const urls = readFileSync(join(html, name), 'utf8').matchAll(
      /(?:@import |url\()["']?((?:https?:)?\/\/[^"')]+)/g,
    )
    for (const [, url] of urls) wrong.push(`${name} loads ${url} from another host`)
  }
  if (wrong.length > 0) throw new Error(`The site has faults:\n${[...new Set(wrong)].join('\n')}`)
  const bytes = names.reduce((sum, name) => sum + statSync(join(html, name)).size, 0)
  return { files: pages.size, megabytes: Math.round(bytes / 1e6) }

  /** @param {string} page @param {string} href */
  function leads(page, href) {
    const [path = '', anchor] = href.split('#')
    const at = path === '' ? page : path.startsWith('/') ? path.slice(1) : join(dirname(page), path)
    const file = at === '' || at.endsWith('/') ? `${at}index.html` : at
    if (!existsSync(join(html, file))) return false
    return anchor === undefined || anchor === '' || (anchors.get(file)?.has(anchor) ?? false)
  }
}

/** @param {string} url */
const isForeign = (url) => /^(?:[a-z]+:|\/\/)/i.test(url) && !url.startsWith('data:')
