import { dirname } from 'node:path'
import { type ErrorCode, isQuerentError } from '../../errors.ts'
import { type ExtractReport, extractTriples } from '../../training/data/extract-triples.ts'
import { chatModelOf } from '../open/chat-model.ts'
import { corpusSource } from '../open/corpus-source.ts'
import { readDocuments } from '../open/documents.ts'
import { allFailed } from '../output/all-failed.ts'
import { count } from '../output/count.ts'
import { warnBesideSources } from '../output/output-file.ts'
import { checkOutputs } from '../output/output-paths.ts'
import { showProgress } from '../output/progress.ts'
import { printJson, say } from '../output/terminal.ts'
import type { Run } from '../settings/command.ts'
import type { SettingsOf } from '../settings/of-commands.ts'
import { required } from '../settings/setting.ts'

/** Errors after which the same command would fail again. */
const aboutFiles: readonly ErrorCode[] = ['bad-config', 'bad-file', 'write-failed']

/** `querent triples <corpus> --out <file>` */
export const runTriples: Run<SettingsOf<'triples'>> = async ([corpus], settings, terminal) => {
  const { signal } = terminal
  const { limit, concurrency } = settings
  const out = required(settings, 'out')
  const model = await chatModelOf('Extracting facts', settings, terminal)
  const source = await corpusSource(corpus!, terminal)
  const folder = typeof source === 'string' ? dirname(source) : undefined
  await checkOutputs({ '--out': out }, [folder, typeof source === 'string' ? source : undefined])
  if (folder !== undefined) warnBesideSources(out, folder, terminal)
  const reading = readDocuments(source, settings, terminal)
  const progress = showProgress(terminal)
  let extracted: ExtractReport
  try {
    extracted = await extractTriples(reading.documents, {
      model,
      out,
      limit,
      concurrency,
      signal,
      onProgress: (done) => progress.update('extracting facts', done, limit),
    })
    progress.stop()
  } catch (error) {
    progress.stop()
    if (!isQuerentError(error) || !aboutFiles.includes(error.code))
      say(terminal, `What is finished is in ${out}. Run the same command again to continue.`)
    throw error
  }
  reading.sayOddities()
  const { firstFailure, ...report } = extracted
  const { documents, before, triples, malformed, failed, tokens } = report
  if (settings.json) printJson(terminal, { out, ...report, ...reading.skipped() })
  else
    say(
      terminal,
      `${out}: ${count(documents, 'document')} (${before} from before), ${count(triples, 'new fact')}, ` +
        `${count(malformed, 'malformed line')} dropped, ${tokens.prompt + tokens.completion} tokens`,
    )
  if (firstFailure === undefined) return
  if (documents === 0) throw allFailed(count(failed, 'document'), firstFailure)
  if (!settings.json)
    say(
      terminal,
      `${count(failed, 'document')} failed. Run the same command again to try again. The first reason: ${firstFailure.message}`,
    )
}
