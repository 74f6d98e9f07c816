/** Reads the judgments that the browser kept. Whatever shares the address of the page may have written there, too. */
import { isObject } from '../runtime/json.ts'
import type { GivenTurn } from '../types.ts'
import type { JudgedQuery, Judgments } from './judgments.ts'

/** The judgments that were kept. None, if it is something else. */
export const judgmentsIn = (kept: unknown): Judgments =>
  Array.isArray(kept) && kept.every(isJudgedQuery) ? kept : []

function isJudgedQuery(value: unknown): value is JudgedQuery {
  if (!isObject(value)) return false
  const { text, history = [], grades } = value
  return (
    typeof text === 'string' &&
    Array.isArray(history) &&
    history.every(isTurn) &&
    isObject(grades) &&
    Object.values(grades).every((grade) => typeof grade === 'number')
  )
}

export const isTurn = (value: unknown): value is GivenTurn =>
  isObject(value) &&
  typeof value.text === 'string' &&
  typeof value.role === 'string' &&
  ['user', 'agent', 'assistant'].includes(value.role)
