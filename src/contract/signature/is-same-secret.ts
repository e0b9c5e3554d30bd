import { timingSafeEqual } from 'node:crypto'

/** Compares in constant time: how long it takes tells nobody how much of a guess is right. */
export function isSameSecret(one: string | Uint8Array, other: string | Uint8Array): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
