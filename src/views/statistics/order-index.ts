/** Number of maps that share the orders: a map that grows is rebuilt in one go, so each stays small. */
const parts = 256

/** Records of transactions, found by their order; most orders have one. */
export class OrderIndex<T extends object> {
  readonly #parts = Array.from({ length: parts }, () => new Map<string, T | T[]>())

  /** The records of that order, in the order of their addition. */
  of(orderId: string): readonly T[] {
    const found = this.#partOf(orderId).get(orderId) ?? []
    return Array.isArray(found) ? found : [found]
  }

  /** `orderId`: null for one of no order. */
  add(orderId: string | null, record: T): void {
    if (orderId === null) return
    const part = this.#partOf(orderId)
    const known = part.get(orderId)
    if (known === undefined) part.set(orderId, record)
    else if (Array.isArray(known)) known.push(record)
    else part.set(orderId, [known, record])
  }

  #partOf(orderId: string): Map<string, T | T[]> {
    let hash = 0
    for (let index = 0; index < orderId.length; index++) hash = (hash * 31 + orderId.charCodeAt(index)) | 0
    return this.#parts[hash & (parts - 1)] as Map<string, T | T[]>
  }
}
