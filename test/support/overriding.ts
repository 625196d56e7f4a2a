/** Replaces some methods of an object. The others still run on the object, so a class keeps its private fields. */
export function overriding<T extends object>(object: T, own: Partial<T>): T {
  return new Proxy(object, {
    get(target, name) {
      const owner: object = name in own ? own : target;
      const value: unknown = Reflect.get(owner, name);
      return typeof value === 'function' ? value.bind(owner) : value;
    },
  });
}
