import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import { expect, it } from 'vitest'
import { forward } from '../../../../adapters/apps/proxy/send.ts'
import type { Target } from '../../../../adapters/apps/proxy/target.ts'

it('sends nothing for a caller that is gone', async () => {
  const request = new IncomingMessage(new Socket())
  const response = new ServerResponse(request)
  response.destroy()
  const nowhere = {} as Target
  await expect(forward(nowhere, request, response, null, 1000, () => {})).resolves.toBeUndefined()
})
