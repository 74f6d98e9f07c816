/** JSON without loss: numbers are kept as they were written, be they 2^53 + 1 or 1.0. */
import { parse, stringify } from 'lossless-json'

/** @throws SyntaxError where it is none, and where a key stands twice */
export const parseJson = (text: string): unknown => parse(text)

/** @param indent blanks a level, for readers; 0 for programs */
export const toJson = (value: unknown, indent = 0): string => stringify(value, undefined, indent) ?? 'null'
