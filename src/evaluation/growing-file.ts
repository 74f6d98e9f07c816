/** Files that grow line by line. */
import { QuerentError } from '../errors.ts'

/** @throws QuerentError `bad-config` for the name of a packed file: lines are written as they are, and readers would unpack them */
export function checkGrowing(path: string): void {
  if (!path.endsWith('.gz')) return
  throw new QuerentError('bad-config', `${path} grows line by line, and so cannot be packed`, {
    remedy: 'Drop ".gz" from its name, and pack the file when it is complete.',
  })
}
