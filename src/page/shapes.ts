/** The ways in which a search is looked at. */
export const shapes = { after: 'Before → after', list: 'List', judge: 'Judge' } as const
export type Shape = keyof typeof shapes
