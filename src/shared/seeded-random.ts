/** Pseudo-random numbers in [0, 1) (mulberry32): the same sequence for the same arguments. */
export function randomFrom(...numbers: readonly number[]): () => number {
  let state = numbers.reduce((hash, number) => Math.imul(hash ^ (number + 0x9e3779b9), 0x85ebca6b), 1)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
