import { syncBuiltinESMExports } from 'node:module'
import { onTestFinished } from 'vitest'

/**
 * Puts others in the place of functions of a module of Node, for everything in this process, until the test ends. `make` is
 * given the members as they were.
 */
export function replaceFunctions<M extends object>(module: M, make: (real: Readonly<M>) => object): void {
  const real = { ...module }
  const others = make(real)
  put(module, others)
  onTestFinished(() =>
    put(module, Object.fromEntries(Object.keys(others).map((name) => [name, real[name as keyof M]]))),
  )
}

function put(module: object, members: object): void {
  Object.assign(module, members)
  syncBuiltinESMExports() // who imported them by name has them too
}
