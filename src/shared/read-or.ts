/** What is read, or the other value where reading fails: of what others wrote, or that may be gone. */
export function readOr<T, O = T>(otherwise: O, read: () => T): T | O {
  try {
    return read()
  } catch {
    return otherwise
  }
}

/** Parses JSON; returns undefined, which fits no shape, for invalid JSON. */
export const parseJson = (text: string): unknown => readOr(undefined, () => JSON.parse(text))
