/** True for a JSON object, which a list is not. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Levels of JSON that are read; no request of the service has more than a few. */
export const deepest = 100

/** True for a value that can be walked through: deep nesting fills a page, then overflows the stack. */
export const isShallow = (value: unknown, levels = deepest): boolean =>
  typeof value !== 'object' ||
  value === null ||
  (levels > 0 && Object.values(value).every((each) => isShallow(each, levels - 1)))
