/** Sources and lists for readers of files. */

/** A source of this name with these bytes or texts; objects are lines of JSON. */
export const sourceOf = (name: string, ...lines: readonly (string | Uint8Array | object)[]) => ({
  name,
  bytes: [
    Buffer.concat(
      lines.map((line) =>
        line instanceof Uint8Array
          ? line
          : Buffer.from(typeof line === 'string' ? line : `${JSON.stringify(line)}\n`),
      ),
    ),
  ],
})

/** All items. */
export async function allOf<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = []
  for await (const item of items) all.push(item)
  return all
}
