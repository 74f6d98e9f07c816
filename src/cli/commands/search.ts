import type { Hit } from '../../types.ts'
import { prepareSearch } from '../open/build-search.ts'
import { readQuery } from '../open/query.ts'
import { answerLines } from '../output/answer.ts'
import { describeDecision, describeFallback, failedAsks, failedReranking } from '../output/decision.ts'
import { print, printJson, say, type Terminal } from '../output/terminal.ts'
import { clip } from '../output/truncate.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'

/** `querent search <query> --index <dir>` */
export const runSearch: Run<SettingsOf<'search'>> = async ([text], settings, terminal) => {
  const open = await prepareSearch(settings, terminal)
  const query = await readQuery(text!, settings, terminal)
  const { optimizer, index, close } = await open()
  try {
    const result = await optimizer.search(query, { signal: terminal.signal, answer: settings.answer })
    const hits = await index.withDocuments(result.hits)
    if (settings.json) {
      for (const line of [...describeFallback(result.trace), ...failedReranking(result.trace)])
        say(terminal, line)
      printJson(terminal, { ...result, hits })
      return
    }
    const { trace, answer, citations = [] } = result
    const failed = [...failedAsks(trace), ...failedReranking(trace)]
    for (const line of [...describeDecision(trace), ...failed, '']) say(terminal, line)
    if (answer !== undefined) {
      const found = await index.documents.get(citations)
      const cited = citations.map((docid, place) => ({ docid, title: found[place]?.title }))
      for (const line of [...answerLines(answer, cited), '']) print(terminal, line)
    }
    printHits(terminal, hits)
  } finally {
    await close()
  }
}

function printHits(terminal: Terminal, hits: readonly Hit[]): void {
  for (const { rank, docid, score, document } of hits) {
    print(
      terminal,
      `${String(rank).padStart(3)}. ${docid}  ${score.toFixed(4)}  ${clip(document?.title ?? '')}`.trimEnd(),
    )
    if (document !== undefined) print(terminal, `     ${clip(document.text, 100)}`)
  }
  if (hits.length === 0) say(terminal, 'Nothing was found.')
}
