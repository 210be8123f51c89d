/**
 * A test names a moment (`name`, or `name:3` for its third time) and the process dies there, as in a power cut.
 * Returns the function to call at each named moment.
 */
export function crashPoints(wanted: string | undefined, die: () => void): (name: string) => void {
  if (wanted === undefined || wanted === '') return () => {}
  const [, name, count] = /^(.*?)(?::(\d+))?$/s.exec(wanted)!
  let left = Number(count ?? 1)
  return (reached) => {
    if (reached === name && --left === 0) die()
  }
}

/** The same object, with the points `<name>.<method>:before` and `:after` around each of its methods. */
export function withCrashPoints<T extends object>(name: string, inner: T, reach: (point: string) => void): T {
  return new Proxy(inner, {
    get(target, key, receiver) {
      const value = Reflect.get(target, key, receiver)
      if (typeof value !== 'function' || typeof key !== 'string') return value
      return (...given: unknown[]) => {
        reach(`${name}.${key}:before`)
        const result = value.apply(target, given)
        if (!(result instanceof Promise)) return result
        return result.then((settled) => {
          reach(`${name}.${key}:after`)
          return settled
        })
      }
    },
  })
}
