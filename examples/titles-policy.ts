/** A policy: each name in the query is searched by itself, in addition to the query. */
import type { Policy } from 'querent'

export const titles: Policy = {
  name: 'titles',
  async run(query, tools) {
    const names = query.text.match(/\p{Lu}\w+(?: \p{Lu}\w+)+/gu) ?? []
    const texts = [query, ...names.map((text) => ({ text }))]
    const legs = await tools.retrieve(texts.slice(0, 4), { reason: `${names.length} names in the query` })
    return { hits: tools.fuse(legs) }
  },
}
