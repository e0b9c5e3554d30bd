/** A kind of array that keeps its numbers outside the heap, where the garbage collector does not visit them. */
type NumberArray = Float64Array | Uint32Array | Uint16Array | Uint8Array

/** A growing list of numbers, each in as few bytes as its array type takes. */
export class NumberColumn {
  readonly #kind: new (
    length: number,
  ) => NumberArray
  #values: NumberArray
  #length = 0

  /** `kind`: an array type that holds each number exactly. */
  constructor(kind: new (length: number) => NumberArray) {
    this.#kind = kind
    this.#values = new kind(16)
  }

  get length(): number {
    return this.#length
  }

  /** The number at an index; 0 when there is none. */
  at(index: number): number {
    return this.#values[index] ?? 0
  }

  push(value: number): void {
    if (this.#length === this.#values.length) this.#grow()
    this.#values[this.#length++] = value
  }

  /** Replaces an existing number. */
  set(index: number, value: number): void {
    this.#values[index] = value
  }

  #grow(): void {
    const larger = new this.#kind(Math.ceil(this.#length * 1.5))
    larger.set(this.#values)
    this.#values = larger
  }
}
