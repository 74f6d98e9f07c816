/** The messages of a prompt: its instructions, and what they are about. */
export const prompting = (system: string, user: string) => [
  { role: 'system', content: system },
  { role: 'user', content: user },
]
