const units = [
  [1e9, 'GB'],
  [1e6, 'MB'],
] as const

/** A size for people: `3 kB`, `4.2 MB`, `1.5 GB`. */
export function formatBytes(bytes: number): string {
  const unit = units.find(([size]) => bytes >= size)
  return unit === undefined ? `${Math.ceil(bytes / 1e3)} kB` : `${(bytes / unit[0]).toFixed(1)} ${unit[1]}`
}
