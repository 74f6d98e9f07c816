// @ts-check
/** This machine's manual pages (sections 1, 5 and 8), for collections of them. */
import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { basename, join } from 'node:path'

/** Characters of a page that are kept, which leaves 96 % of them whole. */
export const longestPage = 40_000

/**
 * The files of the pages, each once: links lead to the page that they are other names of. Pages of gcloud are left out: there are ten
 * times as many as all others together, each in three versions.
 *
 * @param {readonly string[]} folders with `man1`, `man5` and `man8`
 */
export function manualPages(folders) {
  const files = folders.flatMap((folder) =>
    ['man1', 'man5', 'man8']
      .map((section) => join(folder, section))
      .filter(existsSync)
      .flatMap((section) => readdirSync(section).map((name) => join(section, name)))
      .filter((file) => !basename(file).startsWith('gcloud') && existsSync(file))
      .map((file) => realpathSync(file)),
  )
  return [...new Set(files)]
}

/** The name of a page with its section: `ls.1`. @type {(file: string) => string} */
export const docidOf = (file) => basename(file).replace(/\.gz$/, '')

/** A page's lines without header, footer, and what aligns them. @type {(file: string) => string[]} */
export function linesOf(file) {
  const env = { ...process.env, LC_ALL: 'C.UTF-8', MANWIDTH: '200', MAN_KEEP_FORMATTING: '' }
  const flags = ['-P', 'cat', '--nh', '--nj', '-l']
  const printed = execFileSync('man', [...flags, file], { env, maxBuffer: 1e9, stdio: 'pipe' })
  const lines = printed.toString().trim().split('\n').slice(1, -1)
  return lines.map((line) => line.trim().replaceAll(/\s+/g, ' '))
}
