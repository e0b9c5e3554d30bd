/** On every error of this package, whichever copy of its class made it. */
const mark = Symbol.for('tillbox.error')

/**
 * An error whose class `instanceof` tells by name. The package holds some modules twice, in the files of the commands and
 * in that of the library: an error of one copy is an instance of the class in the other too. Every class of errors extends
 * this one, and states its name, which the build may shorten otherwise.
 */
export abstract class NamedError extends Error {
  static override readonly name: string = 'NamedError'
  override readonly name: string = this.constructor.name

  get [mark](): true {
    return true
  }

  static override [Symbol.hasInstance](value: unknown): boolean {
    if (typeof value !== 'object' || value === null || !(mark in value)) return false
    for (let type = value.constructor; type !== null; type = Object.getPrototypeOf(type))
      // biome-ignore lint/complexity/noThisInStatic: the class that instanceof was asked for
      if (type.name === this.name) return true
    return false
  }
}
