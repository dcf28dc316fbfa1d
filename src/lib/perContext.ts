/**
 * Keeps state that all requests of one service share. It is created when it is first used, once for each context,
 * because tests run several services in a process.
 */
export function perContext<C extends object, T>(create: (ctx: C) => T): (ctx: C) => T {
  const states = new WeakMap<C, T>()
  return (ctx) => {
    const entry = states.get(ctx)
    if (entry !== undefined) return entry
    const state = create(ctx)
    states.set(ctx, state)
    return state
  }
}
