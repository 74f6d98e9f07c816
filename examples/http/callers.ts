/** A search route that searches with each caller's own credentials and in the caller's own tenant only. */
import express from 'express'
import type { Optimizer } from 'querent'
import { searchRoute } from 'querent/express'

export interface User {
  readonly tenant: string
  readonly credentials: string
}

declare module 'express-serve-static-core' {
  interface Request {
    user: User
  }
}

export function createApp(
  userOf: (authorization: string | undefined) => User,
  optimizerFor: (credentials: string) => Optimizer,
): express.Express {
  const app = express()
  app.use((request, _response, next) => {
    request.user = userOf(request.headers.authorization)
    next()
  })
  app.use(
    '/search',
    searchRoute({
      optimizer: (request) => optimizerFor(request.user.credentials), // retrievers that use these credentials
      filter: (_asked, request) => ({ term: { tenant: request.user.tenant } }),
    }),
  )
  return app
}
