/** A share of the callers, chosen without a table: the same callers on every process, and after a restart. */
import { createHash } from 'node:crypto'

/**
 * Whether a caller is among the share. It stays so while the share grows.
 *
 * @param share from 0 (nobody) to 1 (everybody)
 * @param salt names what the share is of: the shares of two salts are independent of each other
 */
export const inShare = (caller: string, share: number, salt: string): boolean =>
  share >= 1 || (share > 0 && placeOf(caller, salt) < share)

/** Evenly from 0 to 1, without 1: the first 48 bits of a SHA-256. */
const placeOf = (caller: string, salt: string): number =>
  createHash('sha256')
    .update(JSON.stringify([salt, caller]))
    .digest()
    .readUIntBE(0, 6) /
  2 ** 48
