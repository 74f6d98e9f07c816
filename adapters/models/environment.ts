/** An environment variable, trimmed. `undefined` if it is unset or empty. */
export function fromEnvironment(name: string): string | undefined {
  const value = process.env[name]?.trim()
  return value === '' ? undefined : value
}
