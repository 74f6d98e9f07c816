import type { Retriever } from '../../src/types.ts'

/** What a retriever says of itself, for a wrapper that answers in its place. */
export const declared = (retriever: Retriever): Omit<Retriever, 'retrieve' | 'close'> => ({
  name: retriever.name,
  ...(retriever.kind && { kind: retriever.kind }),
  ...(retriever.legs && { legs: retriever.legs }),
  ...(retriever.documents && { documents: retriever.documents }),
  ...(retriever.bringsDocuments !== undefined && { bringsDocuments: retriever.bringsDocuments }),
  ...(retriever.narrows !== undefined && { narrows: retriever.narrows }),
  ...(retriever.relaxes !== undefined && { relaxes: retriever.relaxes }),
  ...(retriever.values && { values: retriever.values }),
})
