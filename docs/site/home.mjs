// @ts-check
/** The first page of the site: what Querent is, and the documentation by task. */
import { addressOf } from './pages.mjs'

/** @param {readonly import('../../scripts/doc-index.mjs').DocSection[]} sections */
export const homePage = (sections) => `---
layout: home
title: Querent
titleTemplate: query-optimization middleware for search engines
hero:
  name: Querent
  text: Searches that find what was meant
  tagline: Middleware between your application and its search engine. It decides whether a query is searched unchanged, rewritten or split, searches every backend at once, and merges the results into one ranked list.
  actions:
    - { theme: brand, text: Getting started, link: /docs/start }
    - { theme: alt, text: What it is, link: /overview }
    - { theme: alt, text: API, link: /api/ }
---

<div class="by-task">

${sections.map(taskOf).join('\n\n')}

</div>

<figure class="picture">

![A question is split into two sub-queries. Each is searched in a word index and in a vector index. The four lists are merged into one that contains all documents that the answer needs.](/docs/search.svg)

</figure>
`

/** @param {import('../../scripts/doc-index.mjs').DocSection} section */
const taskOf = ({ title, pages }) =>
  `<section>\n\n## ${title}\n\n${pages.map(({ title, path }) => `- [${title}](/${addressOf(path)})`).join('\n')}\n\n</section>`
