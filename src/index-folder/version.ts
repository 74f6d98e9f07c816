import { packageFolder } from '../runtime/package-folder.ts'

/** The version of this package; 0.0.0 in an application that was bundled without its package.json. */
export const version: string = packageFolder?.version ?? '0.0.0'
