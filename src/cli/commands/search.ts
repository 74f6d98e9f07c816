import type { Hit, SearchResult } from '../../types.ts'
import { prepareSearch } from '../open/build-search.ts'
import { readQuery } from '../open/query.ts'
import { describeDecision, describeFallback } from '../output/decision.ts'
import { print, printJson, say, type Terminal } from '../output/terminal.ts'
import { clip } from '../output/truncate.ts'
import type { SearchSettings } from '../settings/search-settings.ts'

/** `querent search <query> --index <dir>` */
export async function runSearch(
  [text]: readonly string[],
  settings: SearchSettings,
  terminal: Terminal,
): Promise<void> {
  const open = await prepareSearch(settings, terminal)
  const query = await readQuery(text!, settings, terminal)
  const { optimizer, index, close } = await open()
  try {
    const result = await optimizer.search(query, { signal: terminal.signal })
    const hits = await index.withDocuments(result.hits)
    if (settings.json) {
      for (const line of describeFallback(result.trace)) say(terminal, line)
      printJson(terminal, { ...result, hits })
    } else printResult(terminal, result, hits)
  } finally {
    await close()
  }
}

function printResult(
  terminal: Terminal,
  { trace, answer, citations = [] }: SearchResult,
  hits: readonly Hit[],
): void {
  for (const line of describeDecision(trace)) say(terminal, line)
  say(terminal, '')
  if (answer !== undefined) {
    print(terminal, answer)
    if (citations.length > 0) print(terminal, `from ${citations.join(', ')}`)
    print(terminal, '')
  }
  for (const { rank, docid, score, document } of hits) {
    print(
      terminal,
      `${String(rank).padStart(3)}. ${docid}  ${score.toFixed(4)}  ${clip(document?.title ?? '')}`.trimEnd(),
    )
    if (document !== undefined) print(terminal, `     ${clip(document.text, 100)}`)
  }
  if (hits.length === 0) say(terminal, 'Nothing was found.')
}
