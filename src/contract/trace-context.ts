/** The four fields of version 00: the two ids are not zero. A later version may add others after them. */
const fields = /^(?!ff)([0-9a-f]{2})-((?!0+-)[0-9a-f]{32}-(?!0+-)[0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/

/**
 * The trace and parent of a `traceparent` header, as version 00 writes them; undefined for a malformed one,
 * which counts as none. https://www.w3.org/TR/trace-context/#traceparent-header assumption: trace-context
 */
export function traceparentFrom(header: string | undefined): string | undefined {
  const [, version, ids, flags, more] = fields.exec(header ?? '') ?? []
  if (flags === undefined || (version === '00' && more !== undefined)) return undefined
  // Of the flags of a later version, only those of version 00 are known.
  return `00-${ids}-${(Number.parseInt(flags, 16) & 1).toString().padStart(2, '0')}`
}
