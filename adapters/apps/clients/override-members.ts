/** Replaces some members of a client. All others stay the client's own. */

/**
 * If the application later sets one of these members (a spy, an instrumentation), the new value hides Querent's member and does
 * not reach the client. Querent's members call the client's: a spy around Querent's member, set on the client, would make it call
 * itself.
 */
export function overrideMembers<C extends object>(client: C, members: object): C {
  const own: object = Object.create(Object.assign(Object.create(null), members))
  const holder = (property: PropertyKey): object => (property in own ? own : client)
  return new Proxy(client, {
    get: (_, property) => Reflect.get(holder(property), property),
    set: (_, property, value) => Reflect.set(holder(property), property, value),
    defineProperty: (_, property, descriptor) =>
      Reflect.defineProperty(holder(property), property, descriptor),
    getOwnPropertyDescriptor(_, property) {
      const descriptor = Reflect.getOwnPropertyDescriptor(client, property)
      if (descriptor === undefined || !(property in own)) return descriptor
      return { ...descriptor, value: Reflect.get(own, property) }
    },
    deleteProperty: (_, property) => Reflect.deleteProperty(holder(property), property),
  })
}
