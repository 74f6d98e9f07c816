/** Which queries ACQO trains on, by τ (eq. 7): the hardest share before Stage I (A.3), the challenge zone before Stage II (eq. 8). */
import { type ChallengeZone, isChallenging } from '../../policies/acqo/rewards.ts'
import { checkOption } from '../learn/check-option.ts'
import { byCodeUnit } from '../rank.ts'

/** A query and its difficulty. A low τ means a hard query. */
export interface Measured {
  readonly qid: string
  readonly tau: number
}

/** @throws QuerentError `bad-config` for a share that is not above 0 and at most 1 */
export function checkRetain(retain: number): void {
  checkOption('retain', retain, retain > 0 && retain <= 1, 'above 0 and at most 1')
}

/**
 * The hardest share of the queries, rounded up. Ties go by qid.
 *
 * @throws QuerentError `bad-config` for a share that is not above 0 and at most 1
 */
export function hardestOf(measured: readonly Measured[], retain: number): ReadonlySet<string> {
  checkRetain(retain)
  const hardestFirst = [...measured].sort((a, b) => a.tau - b.tau || byCodeUnit(a.qid, b.qid))
  return new Set(hardestFirst.slice(0, Math.ceil(retain * measured.length)).map(({ qid }) => qid))
}

/** The queries whose τ is in the zone. @throws QuerentError `bad-config` for a `tauMin` above `tauMax` */
export function challengingOf(measured: readonly Measured[], zone: ChallengeZone): ReadonlySet<string> {
  return new Set(measured.filter(({ tau }) => isChallenging(tau, zone)).map(({ qid }) => qid))
}
