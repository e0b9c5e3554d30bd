/** The last `max` ids that were added, so that nothing is handled twice. */
export class RecentIds {
  readonly #ids = new Set<string>()

  constructor(private readonly max = 10_000) {}

  has(id: string): boolean {
    return this.#ids.has(id)
  }

  add(id: string): void {
    this.#ids.add(id)
    if (this.#ids.size > this.max) this.#ids.delete(this.#ids.values().next().value ?? '')
  }
}
