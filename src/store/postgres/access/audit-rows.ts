import type { AuditEntry } from '../../../contract/sandbox/access/access-answers.ts'
import type { Scope } from '../../../contract/sandbox/access/token.ts'
import type { QueryResult, RunStatement } from '../connection/connection.ts'

/** A line of the audit log with its number at the node that writes it. */
export interface NumberedEntry extends AuditEntry {
  readonly line: number
}

const columns = {
  ...{ line: 'bigint', at: 'timestamptz', token: 'text', scope: 'text', address: 'text', method: 'text' },
  ...{ path: 'text', action: 'text', space: 'text', code: 'text', status: 'integer' },
} as const satisfies Record<keyof Omit<NumberedEntry, 'count'>, string>

const names = Object.keys(columns)

const insertion = `insert into audit (node, ${names.join(', ')}) select $1::text, ${names.join(', ')}
  from json_to_recordset($2::json) as e(${Object.entries(columns).map((column) => column.join(' '))})
  order by line on conflict (node, line) do nothing`

/** Adds lines in order; existing lines are unchanged. Errors: as `Run`. */
export async function insertEntries(
  run: RunStatement,
  node: string,
  entries: readonly NumberedEntry[],
  patience: number,
): Promise<void> {
  const clean = (_: string, value: unknown) => (typeof value === 'string' ? asStored(value) : value)
  await run(insertion, [node, JSON.stringify(entries, clean)], patience)
}

/** PostgreSQL rejects NUL and lone surrogates, which a shortened path may contain. */
const asStored = (text: string): string => text.replace(/[\0\ud800-\udfff]/gu, '\ufffd')

/** The latest lines of one space or of all, the newest last. Errors: as `Run`. */
export async function latestEntries(
  run: RunStatement,
  limit: number,
  space: string | null,
  patience: number,
): Promise<AuditEntry[]> {
  const { rows } = await run(
    `select ${names.join(', ')}, (extract(epoch from at) * 1000)::bigint as at_ms from audit
      ${space === null ? '' : 'where space = $2'} order by id desc limit $1`,
    space === null ? [limit] : [limit, space],
    patience,
  )
  return rows.map(entryOf).reverse()
}

/** Removes all but the latest lines. Errors: as `Run`. */
export async function keepLatest(run: RunStatement, count: number): Promise<void> {
  await run('delete from audit where id <= (select id from audit order by id desc offset $1 limit 1)', [
    count,
  ])
}

const entryOf = (row: QueryResult['rows'][number]): AuditEntry => ({
  at: new Date(Number(row.at_ms)).toISOString(),
  token: row.token ?? '',
  scope: (row.scope ?? null) as Scope | null,
  address: row.address ?? '',
  method: row.method ?? '',
  path: row.path ?? '',
  action: row.action ?? null,
  space: row.space ?? '',
  code: row.code ?? '',
  status: Number(row.status),
})
