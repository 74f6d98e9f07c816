/** An environment variable without the white space around it; an empty one counts as absent. */
export function fromEnvironment(name: string): string | undefined {
  const value = process.env[name]?.trim()
  return value === '' ? undefined : value
}
