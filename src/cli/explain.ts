import type { Command } from 'commander'
import { type Explanation, explain } from '../explain.ts'
import { clip } from './clip.ts'
import { addCommand, searchSettings } from './command.ts'
import { describeDecision, describeFallback } from './decision.ts'
import { prepareSearch } from './open-search.ts'
import { readQuery } from './query.ts'
import { print, printJson, say, type Terminal } from './terminal.ts'

/** `querent explain <query> --index <dir>` */
export function addExplain(program: Command, terminal: Terminal): void {
  addCommand(program, {
    usage: 'explain <query>',
    summary: 'search, and say why each hit is there',
    settings: [...searchSettings, 'policy', 'retrievers', 'history', 'json'],
    examples: [
      [
        'querent explain "who wrote the letters" --index my-index',
        'sub-query, retriever, rank, score and share',
      ],
      ['querent explain "…" --index my-index -k 3 --fusion rrf --json', 'the same for a program'],
    ],
    async run([text], settings) {
      const open = prepareSearch(settings, terminal)
      const query = await readQuery(text as string, settings, terminal)
      const { optimizer, fusion, index, close } = await open()
      try {
        const { trace } = await optimizer.search(query, { signal: terminal.signal })
        const explanations = explain(trace, fusion)
        if (settings.json) {
          for (const line of describeFallback(trace)) say(terminal, line)
          printJson(terminal, { hits: explanations, trace })
          return
        }
        const documents = await index.documents.get(explanations.map(({ docid }) => docid))
        for (const line of describeDecision(trace)) say(terminal, line)
        for (const [place, explanation] of explanations.entries()) {
          print(terminal, '')
          for (const line of describe(explanation, documents[place]?.title ?? '')) print(terminal, line)
        }
      } finally {
        await close()
      }
    },
  })
}

function describe({ docid, rank, score, recomputed, contributions }: Explanation, title: string): string[] {
  return [
    `${rank}. ${docid}  ${clip(title)}`.trimEnd(),
    `   score ${score}, recomputed from what follows ${recomputed}`,
    ...contributions.map((part) => {
      const columns = [
        `   ${part.retriever.padEnd(8)}`,
        `rank ${part.rank}`.padEnd(8),
        `score ${part.score.toFixed(4)}`.padEnd(14),
        part.normalized === undefined ? '' : `normalized ${part.normalized.toFixed(4)}`,
        part.weight === undefined ? '' : `weight ${part.weight}`,
        part.share === undefined ? '' : `share ${(part.share * 100).toFixed(1)} %`.padEnd(13),
        `"${clip(part.subQuery.text)}"`,
      ]
      return columns.filter((column) => column !== '').join('  ')
    }),
  ]
}
