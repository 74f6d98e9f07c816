/** Random choices can be repeated: `QUERENT_SEED` is the seed of a run, and of all its property tests. */
import fc from 'fast-check'

const given = process.env.QUERENT_SEED

/** Fresh in each process where none is given. */
export const seed = given === undefined ? Math.floor(Math.random() * 2 ** 31) : Number(given)

if (given !== undefined) fc.configureGlobal({ ...fc.readConfigureGlobal(), seed })
