/** Sorts, in place, each run of neighbors whose scores are closer than `within`, by `compare`. `order` is best first. */
export function breakTies(
  order: number[],
  scores: readonly number[],
  within: number,
  compare: (a: number, b: number) => number,
): void {
  let start = 0
  for (let place = 1; place <= order.length; place++) {
    const isApart = place === order.length || scores[order[place - 1]!]! - scores[order[place]!]! >= within
    if (!isApart) continue
    if (place - start > 1) order.splice(start, place - start, ...order.slice(start, place).sort(compare))
    start = place
  }
}
