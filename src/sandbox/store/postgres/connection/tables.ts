import { shellQuote } from '../../../../shared/text/shell-quote.ts'
import { UnusableDatabase } from './address.ts'
import type { OpenedDatabase, RunStatement } from './statement.ts'

/** Version of the tables, and of the events in them. */
const version = 4

/** The oldest PostgreSQL that ends idle sessions. */
const oldestServer = 14

/** What makes the tables. A space's rows are deleted in steps, so only `spaces` knows its names. */
const statements = [
  'create table version (number integer not null)',
  `insert into version values (${version})`,
  'create table cluster (secret text not null)',
  `comment on table cluster is 'One row. secret: seals what the nodes of this database forward to each other'`,
  `insert into cluster values (replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))`,
  `create table spaces (
    name text primary key,
    number integer generated always as identity,
    secret text,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    settings json,
    keys text[] not null default '{}',
    owner text,
    owner_url text,
    wake_at timestamptz,
    made_by text
  )`,
  `comment on table spaces is 'Sandboxes. secret: what its keys are made of; expires_at: -infinity while the rows of a removed space are deleted;
    number: its node holds the advisory lock (oid of this table, number); owner: the node that took it last, and its URL; wake_at: when a node takes it by itself; made_by: id of the token that made it'`,
  // An unknown key is looked up each time; with fastupdate each look-up would read unmerged entries.
  'create index on spaces using gin (keys) with (fastupdate = off)',
  `create table events (
    space text not null,
    sequence bigint not null,
    at timestamptz not null,
    crc bigint not null,
    body json not null,
    primary key (space, sequence)
  )`,
  `comment on table events is 'What happened since the last saved state, one row for each command. at: sandbox time; crc: CRC-32 of the body'`,
  'create table sequences (space text primary key, last bigint not null)',
  `comment on table sequences is 'The sequence of the last event of each space: one that is missing is noticed'`,
  'create table states (space text primary key, sequence bigint not null, body text not null)',
  `comment on table states is 'The state after the event of that sequence, as the lines of a state file, each with its CRC-32'`,
  'create table snapshots (space text not null, name text not null, head json not null, body text not null, primary key (space, name))',
  `comment on table snapshots is 'States that were saved under a name. head: the facts of a list; body: the text of an export'`,
  `create table attempts (
    space text not null,
    id bigint generated always as identity,
    merchant_id text not null,
    number bigint not null,
    body json not null,
    primary key (space, id)
  )`,
  'create index on attempts (space, merchant_id, number)',
  `comment on table attempts is 'The last attempts of webhooks'`,
  `create table tokens (
    id text primary key,
    number bigint generated always as identity,
    name text not null,
    scope text not null check (scope in ('admin', 'spaces', 'space', 'viewer')),
    space text check (space is not null or scope <> 'space'),
    hash text not null unique,
    created_at timestamptz not null default now(),
    expires_at timestamptz,
    last_used_at timestamptz,
    revoked_at timestamptz
  )`,
  'create unique index on tokens (name) where revoked_at is null',
  `comment on table tokens is 'Who may use the server. number: in the order in which they were created; hash: the SHA-256 of the token, which itself is not kept; space: the space that it is for; null: every space; revoked_at: since when it is refused'`,
  `create table audit (
    id bigint generated always as identity primary key,
    node text not null,
    line bigint not null,
    refused boolean not null,
    space text not null,
    body json not null,
    unique (node, line)
  )`,
  'create index on audit (refused, id)',
  'create index on audit (space, id)',
  `comment on table audit is 'Who changed what, and who was refused, the latest lines of each. node, line: who wrote it, and its number there, by which it is written once'`,
] as const

/** Longest pause between two statements of a start: a machine may be very busy then. Milliseconds. */
const longestPause = 30_000

/** An arbitrary lock number: only one node at a time creates the tables. */
const lock = 7_164_551

/**
 * Makes the tables if they are missing; one node at a time. Errors: UnusableDatabase for a server that is too
 * old, a database in another encoding, tables of another version or program, and a user without the right to
 * make them; DatabaseAway.
 */
export async function makeTables(database: OpenedDatabase): Promise<void> {
  await requireServer(database)
  await database.transaction(async (run) => {
    await run(`set local idle_in_transaction_session_timeout = ${longestPause}`)
    await run('select pg_advisory_xact_lock($1, hashtext($2))', [lock, database.address.schema])
    if (!(await hasTables(run, database))) await run(statements.join(';'))
  })
}

async function requireServer({ run, address: { shown, user, database } }: OpenedDatabase): Promise<void> {
  const { rows } = await run<{ encoding: string; version: number }>(
    `select current_setting('server_encoding') as encoding, current_setting('server_version_num')::integer / 10000 as version`,
  )
  const { encoding, version: server } = rows[0] ?? {}
  if (encoding !== 'UTF8')
    throw new UnusableDatabase(
      `The database ${shown} has the encoding ${encoding}, which cannot store every text`,
      `Make one in UTF-8: createdb --owner ${shellQuote(user)} --encoding UTF8 --template template0 ${shellQuote(`${database}_utf8`)}`,
    )
  if (server !== undefined && server < oldestServer)
    throw new UnusableDatabase(
      `The database ${shown} is of PostgreSQL ${server}, which does not end idle sessions`,
      `Use PostgreSQL ${oldestServer} or a later one`,
    )
}

/** False in a schema without tables, which is made if it is missing. */
async function hasTables(
  run: RunStatement,
  { address: { schema, shown } }: OpenedDatabase,
): Promise<boolean> {
  const isThere = async (what: 'namespace' | 'class', name: string) =>
    (await run(`select where to_reg${what}($1) is not null`, [name])).rowCount === 1
  if (!(await isThere('namespace', schema))) await run(`create schema ${schema}`)
  if (!(await isThere('class', `${schema}.version`))) return false
  const [row] = (await run<{ number: number }>('select number from version')).rows
  const found = row?.number
  if (found === version) return true
  throw new UnusableDatabase(
    `The tables in schema ${schema} of ${shown} are of version ${found ?? 'unknown'}, and this tillbox knows version ${version}`,
    'Use the tillbox that made them; or keep this one apart: ?schema=another_name',
  )
}
