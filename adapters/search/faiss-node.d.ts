/** Declared here, because the code must compile without the optional package. */
declare module 'faiss-node' {
  const library: import('./faiss-library.ts').FaissLibrary
  export = library
}
