/** The name of an index on a cluster. Both engines refuse others, in words that do not say what is allowed. */
import { text } from './setting-kinds.ts'

export const indexName = text.refine(
  (name) =>
    name === name.toLowerCase() &&
    !/[\s\\/*?"<>|,#:]/.test(name) &&
    !/^[-_+.]/.test(name) &&
    Buffer.byteLength(name) <= 255,
  'must be a name that clusters accept: lower case, at most 255 bytes, no spaces and none of \\ / * ? " < > | , # :, ' +
    'not starting with - _ + or .',
)
