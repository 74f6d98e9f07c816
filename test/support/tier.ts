/**
 * What a test does on each push, or in full: `npm run verify -- --full` sets `QUERENT_FULL`. Each use has a row in the
 * table of CONTRIBUTING.md.
 */
export const isFull = process.env.QUERENT_FULL === '1'
