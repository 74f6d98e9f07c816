/** A proxy in front of Amazon OpenSearch Service that signs with credentials that are renewed. */
import { createProxy } from 'querent/proxy'

interface Credentials {
  readonly accessKeyId: string
  readonly secretAccessKey: string
  readonly sessionToken?: string
}

export async function startSigningProxy(
  target: string,
  credentials: () => Promise<Credentials>,
  port = 9292,
) {
  const proxy = await createProxy({
    target, // https://search-books-….eu-central-1.es.amazonaws.com
    sign: { region: 'eu-central-1', credentials }, // service: 'aoss' for Serverless
  })
  const url = await proxy.listen(port)
  return { proxy, url }
}
