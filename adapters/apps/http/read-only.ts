/** Endpoints that only answer what is there. */
import { asAsked } from './json-response.ts'
import { problem, problemResponse } from './problem.ts'

/** Answers GET and HEAD. Other methods get a 405. */
export async function readOnly(
  request: Request,
  answer: () => Response | Promise<Response>,
): Promise<Response> {
  const { method, url } = request
  if (method === 'GET' || method === 'HEAD') return asAsked(request, await answer())
  const wrong = problem('wrong-method', `${method} is not for ${new URL(url).pathname}`)
  return problemResponse(wrong, { allow: 'GET, HEAD' })
}
