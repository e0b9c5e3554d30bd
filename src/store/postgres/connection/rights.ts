import { type DatabaseAddress, UnusableDatabase } from './address.ts'
import type { RunStatement } from './connection.ts'

/** The rights that a node needs on the rows of a table; on a read-only table it needs only the first. */
const rowRights = ['SELECT', 'INSERT', 'UPDATE', 'DELETE'] as const
const onlyRead: ReadonlySet<string> = new Set(['version', 'cluster'])

/** Quotes a name for a statement. */
const quoted = (name: string): string =>
  /^[a-z_][a-z0-9_]*$/.test(name) ? name : `"${name.replaceAll('"', '""')}"`

/** The user lacks the right to make the schema. */
export const mayNotMakeSchema = ({ user, schema, database, shown }: DatabaseAddress): UnusableDatabase =>
  new UnusableDatabase(
    `The user ${user} may not make the schema ${schema} in the database ${shown}`,
    `As its owner: GRANT CREATE ON DATABASE ${quoted(database)} TO ${quoted(user)}`,
  )

/**
 * Checks that a schema may be used. `right`: CREATE if the tables must be created. Errors: UnusableDatabase with the
 * missing right; those of `run`.
 */
export async function requireSchemaRight(
  run: RunStatement,
  { user, schema, shown }: DatabaseAddress,
  right: 'USAGE' | 'CREATE',
): Promise<void> {
  const { rows } = await run(`select has_schema_privilege($1, $2) as has`, [schema, right])
  if (rows[0]?.has === 't') return
  const what = right === 'CREATE' ? 'make tables in' : 'use'
  throw new UnusableDatabase(
    `The user ${user} may not ${what} the schema ${schema} of the database ${shown}`,
    `As its owner: GRANT USAGE, CREATE ON SCHEMA ${schema} TO ${quoted(user)}; or choose another schema: ?schema=another_name`,
  )
}

/**
 * Checks that the rows of the tables may be read and written. Errors: UnusableDatabase with the
 * missing rights; those of `run`.
 */
export async function requireTableRights(
  run: RunStatement,
  { user, schema, shown }: DatabaseAddress,
): Promise<void> {
  const { rows } = await run(
    `with needed as (
        select oid, relname as name, required, ordinal from pg_class
          cross join unnest($2::text[]) with ordinality as rights (required, ordinal)
          where relnamespace = to_regnamespace($1) and relkind = 'r' and (ordinal = 1 or relname <> all($3))
      ), missing as (
        select name, string_agg(required, ', ' order by ordinal) as rights from needed
          where not has_table_privilege(oid, required) group by name
      )
      select rights || ' on ' || string_agg(name, ', ' order by name) as description from missing group by rights order by rights`,
    [schema, rowRights, [...onlyRead]],
  )
  if (rows.length === 0) return
  const missing = rows.map(({ description }) => description)
  const names = quoted(user)
  throw new UnusableDatabase(
    `The user ${user} lacks rights in the schema ${schema} of the database ${shown}: ${missing.join('; ')}`,
    `As the owner of the tables: GRANT ${rowRights.join(', ')} ON ALL TABLES IN SCHEMA ${schema} TO ${names}`,
  )
}

/** The schema has tables of another program. `why`: the server's reason. */
export const foreignTables = ({ schema, shown }: DatabaseAddress, why: string): UnusableDatabase =>
  new UnusableDatabase(
    `The schema ${schema} of the database ${shown} holds tables of something else: ${why}`,
    'Choose another schema, which is made: ?schema=another_name',
  )
