/** What the tests use of it; it brings no types. */
declare module 'aws4' {
  const aws4: {
    sign(
      request: Readonly<Record<string, unknown>>,
      credentials: Readonly<Record<string, unknown>>,
    ): { readonly headers: Readonly<Record<string, string>> }
  }
  export = aws4
}
