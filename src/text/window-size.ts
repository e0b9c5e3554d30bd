/** The size of a terminal that does not tell its own. */
const usual = { columns: 80, rows: 24 } as const

/** A stream that may be a terminal; one of 0 columns does not tell its size. */
interface SizedStream {
  readonly columns?: number | undefined
  readonly rows?: number | undefined
}

/** Columns of a terminal; undefined for any other output. */
export const windowColumns = ({ columns }: SizedStream): number | undefined =>
  columns === 0 ? usual.columns : columns

/** The size of a terminal; 80 by 24 where it does not tell its own. */
export const sizeOf = ({
  columns,
  rows,
}: SizedStream): { readonly columns: number; readonly rows: number } => ({
  columns: columns || usual.columns,
  rows: rows || usual.rows,
})
