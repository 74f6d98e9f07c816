/**
 * The products that networks spend their time on, in AssemblyScript (https://www.assemblyscript.org), compiled to WebAssembly:
 * the processor multiplies two numbers at once, which JavaScript cannot ask for. `npm run wasm` makes `../products.wasm` of this
 * file. All numbers have the bits of the loops in JavaScript that are described at each function.
 *
 * All arguments that end in `At` are addresses in bytes.
 */

const floatBytes: usize = 4
const doubleBytes: usize = 8

/** How many units, and how many rows, are multiplied at a time. Each number that is read takes part in four products. */
const block: i32 = 4

/**
 * Writes the products of every row with every unit's weights: `into[unit × rows + row] = Σ weights[unit, input] · row[input]`,
 * summed input by input.
 *
 * @param weightsAt units × inputs doubles
 * @param packedAt room for as many doubles: the weights of four units side by side
 * @param units a multiple of 4
 * @param tableAt rows × inputs floats
 * @param rows a multiple of 4
 */
export function multiply(
  weightsAt: usize,
  packedAt: usize,
  units: i32,
  tableAt: usize,
  rows: i32,
  inputs: i32,
  intoAt: usize,
): void {
  const rowBytes = <usize>inputs * floatBytes
  const blockBytes = <usize>(inputs * block) * doubleBytes
  const columnBytes = <usize>rows * doubleBytes
  pack(weightsAt, packedAt, units, inputs)
  for (let unit = 0; unit < units; unit += block) {
    for (let row = 0; row < rows; row += block) {
      const a = tableAt + <usize>row * rowBytes
      multiplyBlock(
        packedAt,
        packedAt + blockBytes,
        a,
        rowBytes,
        intoAt + <usize>row * doubleBytes,
        columnBytes,
      )
    }
    packedAt += blockBytes
    intoAt += <usize>block * columnBytes
  }
}

/** Multiplies four units with four rows. A vector has the sums of two units for one row. */
function multiplyBlock(
  packedAt: usize,
  packedEnd: usize,
  a: usize,
  rowBytes: usize,
  intoAt: usize,
  columnBytes: usize,
): void {
  const b = a + rowBytes
  const c = b + rowBytes
  const d = c + rowBytes
  let a01 = f64x2.splat(0)
  let a23 = f64x2.splat(0)
  let b01 = f64x2.splat(0)
  let b23 = f64x2.splat(0)
  let c01 = f64x2.splat(0)
  let c23 = f64x2.splat(0)
  let d01 = f64x2.splat(0)
  let d23 = f64x2.splat(0)
  let offset: usize = 0
  for (let at = packedAt; at < packedEnd; at += <usize>block * doubleBytes) {
    const weights01 = v128.load(at)
    const weights23 = v128.load(at, 16)
    const valueA = f64x2.promote_low_f32x4(v128.load32_splat(a + offset))
    a01 = f64x2.add(a01, f64x2.mul(weights01, valueA))
    a23 = f64x2.add(a23, f64x2.mul(weights23, valueA))
    const valueB = f64x2.promote_low_f32x4(v128.load32_splat(b + offset))
    b01 = f64x2.add(b01, f64x2.mul(weights01, valueB))
    b23 = f64x2.add(b23, f64x2.mul(weights23, valueB))
    const valueC = f64x2.promote_low_f32x4(v128.load32_splat(c + offset))
    c01 = f64x2.add(c01, f64x2.mul(weights01, valueC))
    c23 = f64x2.add(c23, f64x2.mul(weights23, valueC))
    const valueD = f64x2.promote_low_f32x4(v128.load32_splat(d + offset))
    d01 = f64x2.add(d01, f64x2.mul(weights01, valueD))
    d23 = f64x2.add(d23, f64x2.mul(weights23, valueD))
    offset += floatBytes
  }
  storeFour(intoAt, i64x2.shuffle(a01, b01, 0, 2), i64x2.shuffle(c01, d01, 0, 2))
  storeFour(intoAt + columnBytes, i64x2.shuffle(a01, b01, 1, 3), i64x2.shuffle(c01, d01, 1, 3))
  storeFour(intoAt + 2 * columnBytes, i64x2.shuffle(a23, b23, 0, 2), i64x2.shuffle(c23, d23, 0, 2))
  storeFour(intoAt + 3 * columnBytes, i64x2.shuffle(a23, b23, 1, 3), i64x2.shuffle(c23, d23, 1, 3))
}

function storeFour(at: usize, first: v128, next: v128): void {
  v128.store(at, first)
  v128.store(at, next, 16)
}

/** Puts the weights of four units side by side, input by input. */
function pack(weightsAt: usize, packedAt: usize, units: i32, inputs: i32): void {
  const unitBytes = <usize>inputs * doubleBytes
  for (let unit = 0; unit < units; unit += block) {
    for (let input = 0; input < inputs; input++) {
      const at = weightsAt + <usize>input * doubleBytes
      store<f64>(packedAt, load<f64>(at))
      store<f64>(packedAt, load<f64>(at + unitBytes), 8)
      store<f64>(packedAt, load<f64>(at + 2 * unitBytes), 16)
      store<f64>(packedAt, load<f64>(at + 3 * unitBytes), 24)
      packedAt += <usize>block * doubleBytes
    }
    weightsAt += <usize>block * unitBytes
  }
}

/**
 * Adds factor × row for each chosen row to the sums. It takes four rows at a time, so that each sum is read and written once
 * for all of them: `sum + (a + b + c + d)`.
 *
 * @param tableAt rows × inputs floats
 * @param chosenAt `count` indices of rows
 * @param factorsAt as many doubles
 * @param sumsAt one double per input
 */
export function addRows(
  tableAt: usize,
  inputs: i32,
  chosenAt: usize,
  factorsAt: usize,
  count: i32,
  sumsAt: usize,
): void {
  const rowBytes = <usize>inputs * floatBytes
  let index = 0
  for (; index + block <= count; index += block) {
    addFour(
      rowAt(tableAt, rowBytes, chosenAt, index),
      rowAt(tableAt, rowBytes, chosenAt, index + 1),
      rowAt(tableAt, rowBytes, chosenAt, index + 2),
      rowAt(tableAt, rowBytes, chosenAt, index + 3),
      factorsAt + <usize>index * doubleBytes,
      inputs,
      sumsAt,
    )
  }
  for (; index < count; index++) {
    const row = rowAt(tableAt, rowBytes, chosenAt, index)
    const factor = load<f64>(factorsAt + <usize>index * doubleBytes)
    for (let input = 0; input < inputs; input++) {
      const sumAt = sumsAt + <usize>input * doubleBytes
      store<f64>(sumAt, load<f64>(sumAt) + factor * <f64>load<f32>(row + <usize>input * floatBytes))
    }
  }
}

/** The address of a chosen row. */
function rowAt(tableAt: usize, rowBytes: usize, chosenAt: usize, index: i32): usize {
  return tableAt + <usize>load<i32>(chosenAt + <usize>index * sizeof<i32>()) * rowBytes
}

function addFour(a: usize, b: usize, c: usize, d: usize, factorsAt: usize, inputs: i32, sumsAt: usize): void {
  const factorA = load<f64>(factorsAt)
  const factorB = load<f64>(factorsAt, 8)
  const factorC = load<f64>(factorsAt, 16)
  const factorD = load<f64>(factorsAt, 24)
  const twoA = f64x2.splat(factorA)
  const twoB = f64x2.splat(factorB)
  const twoC = f64x2.splat(factorC)
  const twoD = f64x2.splat(factorD)
  let offset: usize = 0
  let sumAt = sumsAt
  for (let input = 1; input < inputs; input += 2) {
    let added = f64x2.mul(twoA, f64x2.promote_low_f32x4(v128.load64_zero(a + offset)))
    added = f64x2.add(added, f64x2.mul(twoB, f64x2.promote_low_f32x4(v128.load64_zero(b + offset))))
    added = f64x2.add(added, f64x2.mul(twoC, f64x2.promote_low_f32x4(v128.load64_zero(c + offset))))
    added = f64x2.add(added, f64x2.mul(twoD, f64x2.promote_low_f32x4(v128.load64_zero(d + offset))))
    v128.store(sumAt, f64x2.add(v128.load(sumAt), added))
    offset += 2 * floatBytes
    sumAt += 2 * doubleBytes
  }
  if ((inputs & 1) !== 0) {
    const added =
      factorA * <f64>load<f32>(a + offset) +
      factorB * <f64>load<f32>(b + offset) +
      factorC * <f64>load<f32>(c + offset) +
      factorD * <f64>load<f32>(d + offset)
    store<f64>(sumAt, load<f64>(sumAt) + added)
  }
}
