/**
 * Rows by name, for as many as a state may hold: in one array outside of the heap, where the garbage collector has nothing
 * to visit. A name is not kept, only 32 bits of it: the caller checks whether a row is the right one.
 */
export class RowIndex {
  /** In pairs: 32 bits of a name, and its row plus one; 0 where there is none. */
  #table = new Uint32Array(2 * 1024)
  #count = 0

  add(name: string, row: number): void {
    this.#count += 1
    if (this.#count * 4 > this.#table.length) this.#grow()
    this.#enter(hashOf(name), row + 1)
  }

  /** The row of that name for which `matches` holds; undefined where there is none. */
  find(name: string, matches: (row: number) => boolean): number | undefined {
    const table = this.#table
    const hash = hashOf(name)
    for (let at = this.#firstSlot(hash); table[at + 1] !== 0; at = this.#nextSlot(at))
      if (table[at] === hash && matches((table[at + 1] as number) - 1)) return (table[at + 1] as number) - 1
    return undefined
  }

  #enter(hash: number, entry: number): void {
    let at = this.#firstSlot(hash)
    while (this.#table[at + 1] !== 0) at = this.#nextSlot(at)
    this.#table[at] = hash
    this.#table[at + 1] = entry
  }

  #firstSlot(hash: number): number {
    return (hash * 2) & (this.#table.length - 1)
  }

  #nextSlot(at: number): number {
    return (at + 2) & (this.#table.length - 1)
  }

  /** At most half of the slots are taken, so that the next free one is near. */
  #grow(): void {
    const before = this.#table
    this.#table = new Uint32Array(before.length * 2)
    for (let at = 0; at < before.length; at += 2)
      if (before[at + 1] !== 0) this.#enter(before[at] as number, before[at + 1] as number)
  }
}

/** FNV-1a, mixed once more: names that count up would lie side by side. */
function hashOf(name: string): number {
  let hash = 0x811c9dc5
  for (let at = 0; at < name.length; at++) hash = Math.imul(hash ^ name.charCodeAt(at), 0x01000193)
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b)
  return (hash ^ (hash >>> 13)) >>> 0
}
