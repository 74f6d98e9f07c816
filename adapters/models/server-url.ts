/** The address of a server, as an option. In a file of its own: settings check it without loading a client. */
import { z } from 'zod'

/** An http(s) URL without credentials. */
export const serverUrl: z.ZodType<string> = z.string().refine((text) => {
  const url = URL.canParse(text) ? new URL(text) : undefined
  return url !== undefined && /^https?:$/.test(url.protocol) && url.username === '' && url.password === ''
}, 'expected an http(s) URL, with credentials in `apiKey` or `headers` only')
