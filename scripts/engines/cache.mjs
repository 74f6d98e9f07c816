// @ts-check
/** Where what is installed for this project is kept. */
import { homedir } from 'node:os'
import { join } from 'node:path'

export const cache =
  process.env.QUERENT_CACHE ?? join(process.env.XDG_CACHE_HOME ?? join(homedir(), '.cache'), 'querent')
