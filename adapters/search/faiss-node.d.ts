/** Declared here, since an optional package must not be needed to compile. */
declare module 'faiss-node' {
  const library: import('./faiss-library.ts').FaissLibrary
  export = library
}
