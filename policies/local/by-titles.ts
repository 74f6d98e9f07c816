/**
 * Picks the policy that was trained on documents with titles, or the one trained without, by the first ten hits. Titles are names,
 * which only the first has learned to follow.
 */
import type { DocumentOf } from '../../src/reranker.ts'
import { closeAll } from '../../src/runtime/close-all.ts'
import type { Query, RankedList } from '../../src/types.ts'
import type { LocalWork } from './in-process.ts'

/** How many of a list's first documents say whether there are titles. */
const looked = 10

/**
 * Whether half of the first documents that the query itself finds have a title, or more. True without documents. What else was
 * searched has no say, so that one policy decides and re-ranks.
 */
export function haveTitles(query: Query, lists: readonly RankedList[], documentOf: DocumentOf): boolean {
  const documents = lists
    .filter(({ subQuery }) => subQuery.text === query.text)
    .flatMap(({ hits }) => hits.slice(0, looked))
    .flatMap(({ docid }) => documentOf(docid) ?? [])
  return 2 * documents.filter(({ title = '' }) => title.trim() !== '').length >= documents.length
}

/**
 * @param open opens the work for documents without titles; called by the first search that finds some, and by the next one if that
 *   failed
 */
export function byTitles(titled: LocalWork, open: () => Promise<LocalWork>): LocalWork {
  let opening: Promise<LocalWork> | undefined
  let untitled: LocalWork | undefined

  async function workFor(...found: Parameters<typeof haveTitles>): Promise<LocalWork> {
    if (haveTitles(...found)) return titled
    opening ??= open().catch((thrown: unknown) => {
      opening = undefined
      throw thrown
    })
    untitled = await opening
    return untitled
  }

  return {
    ...(titled.decide && {
      decide: async (query, lists, documentOf, ...more) =>
        (await workFor(query, lists, documentOf)).decide!(query, lists, documentOf, ...more),
      widen: async (query, lists, documentOf, ...more) =>
        (await workFor(query, lists, documentOf)).widen!(query, lists, documentOf, ...more),
    }),
    ...(titled.scores && {
      scores: async (query, lists, documentOf, ...more) =>
        (await workFor(query, lists, documentOf)).scores!(query, lists, documentOf, ...more),
      // Of a search that has ended, and has opened what it needs.
      explain: (query, lists, documentOf, ...more) =>
        ((haveTitles(query, lists, documentOf) ? undefined : untitled) ?? titled).explain!(
          query,
          lists,
          documentOf,
          ...more,
        ),
    }),
    async close() {
      const opened = await opening?.catch(() => undefined)
      await closeAll([titled, opened])
    },
  }
}
