/** A client with some of its members in other hands, and all else its own. */

/**
 * What an application sets of those members later (a spy, an instrument around one) stands before ours, and not in the
 * client: ours ask the client's, and would ask themselves.
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
