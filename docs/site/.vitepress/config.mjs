// @ts-check
import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vitepress'
import { docSections } from '../../../scripts/doc-index.mjs'
import { addressOf } from '../pages.mjs'

const pages = fileURLToPath(new URL('../pages', import.meta.url))
const { version } = JSON.parse(readFileSync(new URL('../../../package.json', import.meta.url), 'utf8'))

/** Where the site will be, if that is known: those who show a card of a link read absolute addresses only. */
const address = (process.env.SITE_URL ?? '').replace(/\/$/, '')

/** A magnifying glass in the site's blue. */
const icon = `data:image/svg+xml,${encodeURIComponent('<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#14609f"/><path d="M18.5 18.5l6 6M20 13.5a6.5 6.5 0 1 1-13 0a6.5 6.5 0 0 1 13 0" fill="none" stroke="#fff" stroke-width="3" stroke-linecap="round"/></svg>')}`

export default defineConfig({
  srcDir: 'pages',
  outDir: 'html',
  lang: 'en',
  title: 'Querent',
  description: 'Query-optimization middleware for search engines',
  // Addresses end in .html, so that every server of static files finds them.
  cleanUrls: false,
  metaChunk: true,
  head: [
    ['link', { rel: 'icon', href: icon, type: 'image/svg+xml' }],
    ['meta', { property: 'og:title', content: 'Querent: searches that find what was meant' }],
    ['meta', { property: 'og:image', content: `${address}/card.png` }],
    ['meta', { name: 'twitter:card', content: 'summary_large_image' }],
  ],
  // The first page of the theme has no landmark for what is its content.
  transformHtml: (html) => html.replace('class="VPContent is-home"', 'role="main" $&'),
  markdown: {
    anchor: { slugify },
    theme: { light: 'github-light-high-contrast', dark: 'github-dark-default' },
    config(md) {
      // Vue would take these for expressions, in a link's code too.
      for (const name of ['text', 'code_inline']) {
        const render = md.renderer.rules[name]
        if (render) md.renderer.rules[name] = (...given) => render(...given).replaceAll('{{', '&#123;&#123;')
      }
      // The empty corner of a table is no header: screen readers would announce one without a name.
      md.core.ruler.push('empty-corner', ({ tokens }) => {
        for (const [index, token] of tokens.entries()) {
          if (token.type !== 'th_open' || tokens[index + 1]?.content !== '') continue
          token.tag = 'td'
          const close = tokens[index + 2]
          if (close) close.tag = 'td'
        }
      })
    },
  },
  themeConfig: {
    search: { provider: 'local' },
    outline: [2, 3],
    nav: [
      { text: 'Documentation', link: '/docs/', activeMatch: '^/docs/' },
      { text: 'API', link: '/api/', activeMatch: '^/api/' },
      { text: 'HTTP', link: '/http/serve', activeMatch: '^/http/' },
      { text: 'Results', link: '/bench/results/local', activeMatch: '^/bench/' },
      {
        text: version,
        items: ['changelog', 'contributing', 'security'].map((name) => page(`/${name}`, name)),
      },
    ],
    sidebar: {
      '/api/': [{ text: 'API', link: '/api/', items: apiPages() }],
      '/http/': [{ text: 'HTTP endpoints', items: httpPages() }],
      '/bench/': [
        {
          text: 'Results',
          items: [
            page('/bench/', 'speed'),
            ...['local', 'models'].map((name) => page(`/bench/results/${name}`, name)),
          ],
        },
      ],
      '/': [
        { text: 'By task', link: '/docs/' },
        ...docSections().map(({ title, pages }) => ({
          text: title,
          items: pages.map(({ title, path }) => ({ text: title, link: `/${addressOf(path)}` })),
        })),
        { text: 'Made from the code', items: [{ text: 'API', link: '/api/' }, ...httpPages()] },
      ],
    },
  },
})

/** @param {string} link @param {string} name */
function page(link, name) {
  return { text: name[0]?.toUpperCase() + name.slice(1), link }
}

function httpPages() {
  return ['serve', 'reward-server'].map((name) => ({ text: `querent ${name}`, link: `/http/${name}` }))
}

/** In the order of typedoc's own list, which has their addresses. */
function apiPages() {
  const list = readFileSync(`${pages}/api/index.md`, 'utf8')
  return Array.from(list.matchAll(/^- \[(.+)\]\((.+)\.md\)$/gm), ([, text = '', path]) => ({
    text,
    link: `/api/${path}`,
  }))
}

/**
 * As GitHub makes anchors, so that the links of the pages work on both.
 *
 * @param {string} heading
 */
function slugify(heading) {
  return heading
    .trim()
    .toLowerCase()
    .replace(/[^\p{L}\p{N}\s_-]/gu, '')
    .replaceAll(' ', '-')
}
