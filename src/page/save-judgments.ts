/** Saves judgments as a file: a folder in BEIR's layout, which `evaluate` and `train` read when it is unpacked. */
import { strToU8, zipSync } from 'fflate'
import { filesOf, type Judgments } from './judgments.ts'

const folder = 'judgments'

export function saveJudgments(judgments: Judgments): void {
  const files = Object.entries(filesOf(judgments)).map(([name, text]) => [`${folder}/${name}`, strToU8(text)])
  const zip = new Blob([zipSync(Object.fromEntries(files))], { type: 'application/zip' })
  const url = URL.createObjectURL(zip)
  const link = document.createElement('a')
  link.href = url
  link.download = `${folder}.zip`
  link.click()
  // The browser reads it after this turn.
  setTimeout(() => URL.revokeObjectURL(url), 60_000)
}
