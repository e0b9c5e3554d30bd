/** Input of a refused form; empty for any other. */
export type TypedFields = Readonly<Record<string, string>>
