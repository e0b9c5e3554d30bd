/** A parsed document whose members a test reads without stating its shape. */
// biome-ignore lint/suspicious/noExplicitAny: tests read members of many shapes
export type AnyJson = any
