import { type DatabaseAddress, UnusableDatabase } from './address.ts'
import type { RunStatement } from './connection.ts'
import type { CodedError } from './database-errors.ts'
import type { Pool } from './pool.ts'
import {
  foreignTables,
  mayNotMakeSchema,
  requireOwnTables,
  requireSchemaRight,
  requireTableRights,
} from './rights.ts'

/** Each list of statements upgrades the tables by one version. A released list is never changed. */
const migrations: readonly (readonly string[])[] = [
  [
    `create sequence epochs`,
    `comment on sequence epochs is 'No two owners of any space have the same, a space that was removed included'`,
    `create table spaces (
      name text primary key,
      secret text,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      settings json,
      keys text[] not null default '{}',
      position bigint not null default 0,
      epoch bigint not null default 0,
      owner text,
      owner_url text,
      leased_until timestamptz,
      wake_at timestamptz
    ) with (fillfactor = 50)`,
    `comment on table spaces is 'Sandboxes. secret: what its keys are made of; position: the last event; owner: the node that serves it, until leased_until;
      epoch: counts the owners, and fences what an earlier one still sends'`,
    `create table cluster (id uuid not null, secret text not null)`,
    `comment on table cluster is 'One row. secret: by which the nodes of this database know each other'`,
    `insert into cluster values (gen_random_uuid(), replace(gen_random_uuid()::text || gen_random_uuid()::text, '-', ''))`,
    `create table events (
      space text not null references spaces on delete cascade,
      sequence bigint not null,
      at timestamptz not null,
      crc bigint not null,
      body json not null,
      primary key (space, sequence)
    )`,
    `comment on table events is 'What happened since the last snapshot, one row for each command. at: sandbox time; crc: CRC-32 of the body'`,
    `create table snapshots (
      space text not null references spaces on delete cascade,
      sequence bigint not null,
      line integer not null,
      body text not null,
      primary key (space, sequence, line)
    )`,
    `comment on table snapshots is 'The state after the event of that sequence, as the lines of a state file'`,
    `create table checkpoints (
      space text not null references spaces on delete cascade,
      name text not null,
      line integer not null,
      body text not null,
      primary key (space, name, line)
    )`,
    `comment on table checkpoints is 'States that were saved under a name, as the lines of an export'`,
    `create table attempts (
      space text not null references spaces on delete cascade,
      log text not null,
      id bigint generated always as identity,
      merchant_id text not null,
      number bigint not null,
      body json not null,
      primary key (space, log, id)
    )`,
    'create index on attempts (space, log, merchant_id, number)',
    `comment on table attempts is 'The last attempts of webhooks. log: attempts of the sandbox, or listened of tillbox listen'`,
    `create table positions (
      space text not null references spaces on delete cascade,
      target text not null,
      id text not null,
      primary key (space, target)
    )`,
    `comment on table positions is 'The last notification that --forward-to sent to each URL'`,
    `create table requests (
      space text not null references spaces on delete cascade,
      number bigint not null,
      at timestamptz not null,
      method text not null,
      path text not null,
      status integer not null,
      code text not null,
      trace_id text not null,
      body json not null,
      primary key (space, number)
    )`,
    `comment on table requests is 'The last 1,000 requests of each space, written every few seconds. number: counts them; body: the whole entry of the request log'`,
    `create table tokens (
      id text primary key,
      name text not null,
      scope text not null check (scope in ('admin', 'space', 'viewer')),
      space text check (space is not null or scope <> 'space'),
      hash text not null unique,
      created_at timestamptz not null default now(),
      expires_at timestamptz,
      last_used_at timestamptz,
      revoked_at timestamptz
    )`,
    'create unique index on tokens (name) where revoked_at is null',
    `comment on table tokens is 'Who may use the server. hash: the SHA-256 of the token, which itself is not kept; space: the space that it is for; null: every space; revoked_at: since when it is refused'`,
    `create table audit (
      id bigint generated always as identity primary key,
      node text not null,
      line bigint not null,
      at timestamptz not null,
      token text not null,
      scope text,
      address text not null,
      method text not null,
      path text not null,
      action text,
      space text not null,
      code text not null,
      status integer not null,
      unique (node, line)
    )`,
    'create index on audit (space, id)',
    `comment on table audit is 'Who changed what, and who was refused, the latest lines. node, line: who wrote it, and its number there, by which it is written once'`,
    `create view deliveries as
      select space, sequence, at, body->>'stream' as merchant_id, event->>'number' as number,
        event->>'type' as type, event->>'last' as last, event->>'delivered' as delivered, event
      from events cross join lateral json_array_elements(
        case when body::text ~ '\\\\u(0000|d[89a-f])' then '[]'::json else body->'events' end) as event
      where event->>'type' like 'delivery-%'`,
    `comment on view deliveries is 'What became of deliveries of webhooks since the last snapshot'`,
  ],
  [
    'alter table spaces add column settings_version bigint not null default 0',
    `comment on column spaces.settings_version is 'Counts what the settings were: of two writes the later one holds'`,
    `comment on column spaces.expires_at is '-infinity: the space was removed, and its rows are being deleted'`,
  ],
  [
    `create table nodes (node text primary key, url text not null, seen_at timestamptz not null default now())`,
    `comment on table nodes is 'The running nodes. A node that stops gives its spaces to the others. seen_at: when the node last reported'`,
  ],
  [
    // A request with an unknown key needs a look-up. Without fastupdate, which would make each look-up read unmerged
    // entries.
    'create index on spaces using gin (keys) with (fastupdate = off)',
  ],
]

/** An arbitrary lock number: only one node at a time creates the tables. */
const lock = 7_164_551

/**
 * Makes the tables, or upgrades them; one node at a time. Errors: UnusableDatabase for tables of a newer tillbox or of
 * another program, and for a user without the right to make or use them; DatabaseAway.
 */
export function migrate(pool: Pool, address: DatabaseAddress): Promise<void> {
  const { schema } = address
  const done = pool.transaction(async (run) => {
    await requireUnicode(run, address)
    await run('select pg_advisory_xact_lock($1, hashtext($2))', [lock, schema])
    const version = await versionOf(run, address)
    if (version > migrations.length) throw newerTables(address, version)
    if (version > 0 && version < migrations.length) await requireOwnTables(run, address)
    for (const statement of migrations.slice(version).flat()) await run(statement)
    if (version < migrations.length) await run('update version set number = $1', [migrations.length])
  })
  return done.catch((error: CodedError) => {
    throw /^42/.test(error.code ?? '') ? foreignTables(address, error.message) : error
  })
}

/** Errors: UnusableDatabase for a database in another encoding, which cannot store every text of a payment. */
async function requireUnicode(run: RunStatement, { shown, user, database }: DatabaseAddress): Promise<void> {
  const { rows } = await run('show server_encoding')
  const encoding = rows[0]?.server_encoding
  if (encoding === 'UTF8') return
  throw new UnusableDatabase(
    `The database ${shown} has the encoding ${encoding}, which cannot store every text`,
    `Make one in UTF-8: createdb --owner ${user} --encoding UTF8 --template template0 ${database}_utf8`,
  )
}

/** Version of the tables; 0 if they do not exist. */
async function versionOf(run: RunStatement, address: DatabaseAddress): Promise<number> {
  const { schema } = address
  const { rows } = await run('select 1 from pg_namespace where nspname = $1', [schema])
  if (rows.length === 0) await makeSchema(run, address)
  await requireSchemaRight(run, address, 'USAGE')
  const table = await run('select to_regclass($1)::text as found', [`${schema}.version`])
  if (table.rows[0]?.found == null) return makeVersion(run, address)
  await requireTableRights(run, address)
  const result = await run('select number from version')
  const version = Number(result.rows[0]?.number ?? Number.NaN)
  if (!Number.isInteger(version)) throw foreignTables(address, 'its table version has no version')
  return version
}

async function makeSchema(run: RunStatement, address: DatabaseAddress): Promise<void> {
  const { rows } = await run(`select has_database_privilege(current_database(), 'CREATE') as has`)
  if (rows[0]?.has !== 't') throw mayNotMakeSchema(address)
  await run(`create schema ${address.schema}`)
}

async function makeVersion(run: RunStatement, address: DatabaseAddress): Promise<number> {
  await requireSchemaRight(run, address, 'CREATE')
  await run('create table version (number integer not null)')
  await run('insert into version values (0)')
  return 0
}

const newerTables = ({ shown, schema }: DatabaseAddress, version: number): UnusableDatabase =>
  new UnusableDatabase(
    `The tables in schema ${schema} of ${shown} are of version ${version}, and this tillbox knows version ${migrations.length}`,
    'Update tillbox: npm install tillbox@latest; or keep this one apart: ?schema=another_name',
  )
