/** What was typed into a form that was refused; empty for any other. */
export type TypedFields = Readonly<Record<string, string>>
