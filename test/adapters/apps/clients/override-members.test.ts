/** A client with some of its members replaced, and all others its own. */
import { describe, expect, it, vi } from 'vitest'
import { overrideMembers } from '../../../../adapters/apps/clients/wrap-client.ts'

class Client {
  readonly #secret = 'own'
  name = 'client'
  search(): string {
    return this.name
  }
  secret(): string {
    return this.#secret
  }
}
const made = () => {
  const client = new Client()
  return { client, wrapped: overrideMembers(client, { search: () => 'ours' }) }
}

it('has our members, and the very others of the client', () => {
  const { client, wrapped } = made()
  expect(wrapped.search()).toBe('ours')
  expect(client.search()).toBe('client')
  expect(wrapped.secret).toBe(client.secret)
  expect(wrapped).toBeInstanceOf(Client)
  expect(Reflect.ownKeys(wrapped)).toEqual(Reflect.ownKeys(client))
})

describe('a member that an application sets', () => {
  it('stands in place of ours, and not in the client, which ours may ask', () => {
    const { client, wrapped } = made()
    wrapped.search = () => 'the application'
    expect([wrapped.search(), client.search()]).toEqual(['the application', 'client'])
  })

  it("is the client's where it is none of ours", () => {
    const { client, wrapped } = made()
    wrapped.name = 'renamed'
    expect([wrapped.name, client.name]).toEqual(['renamed', 'renamed'])
  })

  it('may be a spy, which is taken off again', () => {
    const { client, wrapped } = made()
    const spy = vi.spyOn(wrapped, 'search').mockReturnValue('spied')
    expect([wrapped.search(), client.search()]).toEqual(['spied', 'client'])
    spy.mockRestore()
    expect(wrapped.search()).toBe('ours')
  })

  it('may be deleted', () => {
    const { client, wrapped } = made()
    delete (wrapped as Partial<Client>).name
    expect('name' in client).toBe(false)
  })
})
