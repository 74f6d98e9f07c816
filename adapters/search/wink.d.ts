/** Types for the parts of wink's packages that Querent uses. The packages have no types. */
declare module 'wink-bm25-text-search' {
  function bm25(): bm25.Engine
  namespace bm25 {
    interface Engine {
      defineConfig(config: {
        readonly fldWeights: Readonly<Record<string, number>>
        readonly bm25Params: { readonly k1: number; readonly b: number; readonly k: number }
      }): boolean
      definePrepTasks(tasks: readonly ((text: string) => readonly string[])[]): number
      addDoc(document: Readonly<Record<string, string>>, id: number): number
      consolidate(precision: number): boolean
      search(text: string, limit: number): [id: string, score: number][]
      /** id → length, and token index → count; weight after `consolidate`. */
      getDocs(): Record<number, { readonly length: number; readonly freq: Readonly<Record<number, number>> }>
      /** token → token index. */
      getTokens(): Readonly<Record<string, number>>
    }
  }
  export = bm25
}

declare module 'wink-nlp-utils/src/string-stem.js' {
  function stem(word: string): string
  export = stem
}
