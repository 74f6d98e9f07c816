import { dirname } from 'node:path'
import { extractTriples } from '../../training/data/extract-triples.ts'
import { chatModelOf } from '../open/chat-model.ts'
import { corpusSource, readDocuments } from '../open/documents.ts'
import { allFailed, resumable } from '../open/resumable.ts'
import { checkOut } from '../output/output-paths.ts'
import { say, tell } from '../output/terminal.ts'
import { count } from '../output/words.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** `querent triples <corpus> --out <file>` */
export const run: Run<SettingsOf<'triples'>> = async ([corpus], settings, terminal) => {
  const { signal } = terminal
  const { limit, concurrency } = settings
  const out = required(settings, 'out')
  const model = await chatModelOf('Extracting facts', settings, terminal)
  const source = await corpusSource(corpus!, terminal)
  const file = typeof source === 'string' ? source : undefined
  await checkOut(out, file && dirname(file), [file], terminal)
  const reading = readDocuments(source, settings, terminal)
  const { firstFailure, ...report } = await resumable(out, terminal, (progress) =>
    extractTriples(reading.documents, {
      ...{ model, out, limit, concurrency, signal },
      onProgress: (done) => progress.update('extracting facts', done, limit),
    }),
  )
  reading.sayOddities()
  const { documents, before, triples, malformed, failed, tokens } = report
  tell(terminal, settings, { out, ...report, ...reading.skipped() }, [
    `${out}: ${count(documents, 'document')} (${before} from before), ${count(triples, 'new fact')}, ` +
      `${count(malformed, 'malformed line')} dropped, ${tokens.prompt + tokens.completion} tokens`,
  ])
  if (firstFailure === undefined) return
  const what = count(failed, 'document')
  if (documents === 0) throw allFailed(what, firstFailure)
  const again = 'Run the same command again to try again. The first reason'
  if (!settings.json) say(terminal, `${what} failed. ${again}: ${firstFailure.message}`)
}
