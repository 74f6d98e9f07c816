/**
 * The products that networks spend their time on, computed in WebAssembly: four to five times as fast as the same loops in
 * JavaScript, and the same bits. The source is `assembly/products.ts`.
 */
import { readFileSync } from 'node:fs'
import { ownFile } from '../runtime/own-file.ts'

/** Consecutive rows of a table of standardized features. */
export interface Rows {
  readonly table: Float32Array
  /** Index of the first row. */
  readonly first: number
  readonly count: number
}

/** The part of the standard API that is used here. TypeScript declares it together with the DOM. */
declare const WebAssembly: {
  readonly Module: new (bytes: Uint8Array) => object
  readonly Instance: new (module: object) => { readonly exports: unknown }
}

/** What `assembly/products.ts` exports. Every argument that ends in `At` is an address in bytes. */
interface Exports {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): void }
  multiply(
    weightsAt: number,
    packedAt: number,
    units: number,
    tableAt: number,
    rows: number,
    inputs: number,
    intoAt: number,
  ): void
  addRows(
    tableAt: number,
    inputs: number,
    chosenAt: number,
    factorsAt: number,
    count: number,
    sumsAt: number,
  ): void
}

const pageBytes = 65_536
const floatBytes = Float32Array.BYTES_PER_ELEMENT
const doubleBytes = Float64Array.BYTES_PER_ELEMENT
const integerBytes = Int32Array.BYTES_PER_ELEMENT

let loaded: Exports | undefined

/** The module. The first call reads its file: an application that computes nothing need not have it. */
function products(): Exports {
  if (loaded === undefined) {
    const bytes = readFileSync(ownFile('./products.wasm', import.meta.url))
    loaded = new WebAssembly.Instance(new WebAssembly.Module(bytes)).exports as Exports
  }
  return loaded
}

/** The memory as numbers. Growth replaces its buffer. */
let [integers, floats, doubles] = [new Int32Array(), new Float32Array(), new Float64Array()]

/** The products of all units and rows. */
export interface Products {
  /** At unit × `stride` + row. They are valid until the next call of a function of this file. */
  readonly values: Float64Array
  readonly stride: number
}

/** @param weights units × inputs, unit by unit; more may follow */
export function multiplyRows(weights: Float64Array, units: number, inputs: number, rows: Rows): Products {
  const [allUnits, stride] = [roundedUp(units), roundedUp(rows.count)]
  const size = allUnits * inputs
  const packedAt = size * doubleBytes
  const intoAt = 2 * packedAt
  const tableAt = intoAt + allUnits * stride * doubleBytes
  reserve(tableAt + stride * inputs * floatBytes)
  doubles.set(weights.subarray(0, units * inputs))
  setRows(rows, inputs, tableAt)
  products().multiply(0, packedAt, allUnits, tableAt, stride, inputs, intoAt)
  const start = intoAt / doubleBytes
  return { values: doubles.subarray(start, start + allUnits * stride), stride }
}

/** Chooses rows for a unit. Writes their indices and factors, and returns how many they are. */
export type ChooseRows = (unit: number, chosen: Int32Array, factors: Float64Array) => number

/** Adds factor × row of the rows that are chosen for each unit to the unit's sums: units × inputs, unit by unit. */
export function addChosenRows(
  sums: Float64Array,
  units: number,
  inputs: number,
  rows: Rows,
  choose: ChooseRows,
): void {
  const size = units * inputs
  const factorsAt = size * doubleBytes
  const chosenAt = factorsAt + rows.count * doubleBytes
  const tableAt = chosenAt + rows.count * integerBytes
  reserve(tableAt + rows.count * inputs * floatBytes)
  doubles.set(sums.subarray(0, size))
  setRows(rows, inputs, tableAt)
  const chosen = integers.subarray(chosenAt / integerBytes, tableAt / integerBytes)
  const factors = doubles.subarray(size, size + rows.count)
  for (let unit = 0; unit < units; unit++) {
    const count = choose(unit, chosen, factors)
    products().addRows(tableAt, inputs, chosenAt, factorsAt, count, unit * inputs * doubleBytes)
  }
  sums.set(doubles.subarray(0, size))
}

function setRows({ table, first, count }: Rows, inputs: number, at: number): void {
  floats.set(table.subarray(first * inputs, (first + count) * inputs), at / floatBytes)
}

/** Units and rows are multiplied in fours. What is computed beyond the last one is not read. */
const roundedUp = (count: number): number => Math.ceil(count / 4) * 4

function reserve(size: number): void {
  const { memory } = products()
  const missing = size - memory.buffer.byteLength
  if (missing > 0) memory.grow(Math.ceil(missing / pageBytes))
  if (doubles.buffer === memory.buffer) return
  integers = new Int32Array(memory.buffer)
  floats = new Float32Array(memory.buffer)
  doubles = new Float64Array(memory.buffer)
}
