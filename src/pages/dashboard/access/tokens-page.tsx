import { controls } from '../../../contract/control/controls/controls.ts'
import {
  type AuditEntry,
  auditKinds,
  type CreatedToken,
  scopes,
  startTokenName,
  type TokenView,
} from '../../../contract/control/tokens.ts'
import { reject } from '../../../contract/errors.ts'
import { validate } from '../../../contract/validate.ts'
import { createToken, listAudit } from '../../../sandbox/control/access-handlers.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { wallTime } from '../../../shared/timers.ts'
import { Notice } from '../../components/basics.tsx'
import { CopyText, Sentence, WholeWords } from '../../components/command.tsx'
import { utc } from '../../components/format.ts'
import { actionLooks } from '../../components/looks.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty, Table } from '../../components/panel.tsx'
import type { FormState, MakePage, PagesContext, PageView } from '../../frame/page-view.tsx'
import { type Column, ListTable, timeColumn } from '../lists/list-table.tsx'
import { AddForm, formAction, questionPage } from '../payments/form-parts.tsx'
import { lifeField, ttlMs } from './spaces-page.tsx'

interface TokensState extends FormState {
  /** The token that was just made: only this page shows it. */
  readonly created?: CreatedToken
}

/** The tokens of the server, and a form that makes one. */
export async function tokensPage(
  context: PagesContext,
  _: unknown,
  { created, ...form }: TokensState = { values: {} },
): Promise<PageView> {
  const tokens = await context.access.list()
  const spaces = (await context.spaces?.list()) ?? []
  const add = (
    <AddForm
      title="New token"
      action="/tokens"
      submit="Create the token"
      form={form}
      fields={[
        { name: 'name', label: 'Name', maxLength: 48, placeholder: 'ci' },
        { name: 'scope', label: 'Scope', options: scopes },
        {
          name: 'space',
          label: 'Space',
          options: [['', 'every space'], ...spaces.map(({ name }) => name)],
        },
        lifeField,
      ]}
    />
  )
  return {
    title: 'Tokens',
    section: 'sandbox',
    lead: [
      <Sentence text="Who may use this server: `admin` for everything, `spaces` for the spaces it creates, `space` for one space, `viewer` to look. " />,
      <a href="/audit">Audit log</a>,
    ],
    aside: () => tokens.length > 0 && add,
    body: () => (
      <>
        {created !== undefined && (
          <Notice tone="info" title={`The token ${created.name}`}>
            <p>
              <CopyText text={created.token} />
            </p>
            <p>Keep it now: it is not shown again.</p>
          </Notice>
        )}
        <section class="panel">
          {tokens.length === 0 ? (
            <Empty title="There is no token">
              <p>A token lets another machine use this server. On this machine requests need none.</p>
              {add}
            </Empty>
          ) : (
            <Table caption="Tokens, the oldest first" heads={tokenHeads}>
              {tokens.map(tokenRow)}
            </Table>
          )}
        </section>
      </>
    ),
  }
}

const tokenHeads = [
  'Name',
  ['Scope', '@max-sm:hidden'],
  ['Space', '@max-sm:hidden'],
  ['Last used (UTC)', '@max-md:hidden'],
  ['Expires (UTC)', '@max-md:hidden'],
  ['Action', 'figure'],
] as const

const tokenRow = ({ name, scope, space, lastUsedAt, expiresAt, state }: TokenView) => (
  <tr>
    <th scope="row">
      <span class="code">{name}</span>
      {state === 'expired' && <span class="text-bad"> expired</span>}
      <span class="under block @sm:hidden">
        {[scope, space, expiresAt === null ? 'never expires' : `until ${utc(expiresAt).slice(0, 10)}`]
          .filter(Boolean)
          .join(' · ')}
      </span>
    </th>
    <td class="@max-sm:hidden whitespace-nowrap">{scope}</td>
    <td class="@max-sm:hidden">{space ?? (scope === 'spaces' ? 'those that it creates' : 'every space')}</td>
    <td class="@max-md:hidden whitespace-nowrap">{lastUsedAt === null ? 'never' : utc(lastUsedAt)}</td>
    <td class="@max-md:hidden whitespace-nowrap">{expiresAt === null ? 'never' : utc(expiresAt)}</td>
    <td class="figure">
      {name !== startTokenName && (
        <span class="row-actions flex justify-end">
          <a class={actionLooks.quiet} href={`/tokens/${name}/revoke`} data-drawer>
            Revoke…<span class="sr-only"> {name}</span>
          </a>
        </span>
      )}
    </td>
  </tr>
)

/** Makes a token, and shows it once. */
export const createTokenAction = formAction(
  tokensPage,
  ['name', 'scope', 'space', 'life'],
  async (context, { name, scope, space, life }, request, call) => {
    const members = { name: name?.trim(), scope, space: space || undefined, ttlMs: ttlMs(life) }
    const created = await context.send(createToken, validate(controls['create-token'], members), call)
    return tokensPage(context, request, { values: {}, created })
  },
)

/** Asks before a token is revoked. */
export const revokeTokenPage: MakePage = async ({ access }, { id }) => {
  const { name } = (await access.list()).find((each) => each.name === id) ?? reject('SBX_TOKEN_NONE')
  return questionPage(
    `Revoke the token ${name}`,
    `/tokens/${name}/revoke`,
    'Revoke',
    ['/tokens', 'Keep it'],
    <p class="text-sm text-ink-soft">Whoever uses it is refused from now on. This cannot be undone.</p>,
  )
}

/** Who changed what, and who was refused, the newest first. */
export const auditPage: MakePage = async (context, { query: { only = '' }, scope }) => {
  const input = validate(controls.audit, { limit: '200', ...(only !== '' && { only }) })
  const { entries } = await context.send(listAudit, input, scope)
  return {
    title: 'Audit log',
    section: 'sandbox',
    lead: 'Who changed what, and who was refused: the last 200 lines.',
    aside: () => <Tabs label="Lines" id="only" tabs={auditTabs} chosen={only} />,
    body: () => (
      <section class="panel">
        {entries.length === 0 ? (
          <Empty title="There is no line" />
        ) : (
          <ListTable caption="Lines, the newest first" columns={auditColumns()} rows={entries.toReversed()} />
        )}
      </section>
    ),
  }
}

const auditTabs = ['', ...auditKinds].map((kind) => {
  const query = kind && `?only=${kind}`
  return [kind, capitalize(kind || 'all'), `/audit${query}`] as const
})

/** `/tokens/ci/revoke`, and how often where it is one line of several. */
const auditedTarget = ({ path, count }: Pick<AuditEntry, 'path' | 'count'>): string =>
  `${path}${count === undefined ? '' : `, ${count} times`}`

/** An id of more characters than those that tell it from others, of which a narrow list shows the ends. */
const longId = /(?<=\/)((?=[^/]*\d)[\w-]{16,})(?![\w-])/g

const auditColumns = (): readonly Column<AuditEntry>[] => [
  {
    ...timeColumn<AuditEntry>(wallTime(), ({ at }) => [Date.parse(at), 'UTC'], 'Time (UTC)'),
    look: '@sm:w-24 @lg:w-36 @max-sm:hidden text-ink-soft',
    isUnder: true,
  },
  {
    head: 'What',
    look: 'code whole wraps @max-sm:[&_.under]:mt-1.5 @max-sm:[&_.under]:pe-40',
    title: (entry) => `${entry.method} ${auditedTarget(entry)}`,
    cell: ({ method, ...entry }) => (
      <span class="flex gap-[1ch]">
        <span class="flex-none">{method}</span>
        <span class="min-w-0">
          {auditedTarget(entry)
            .split(longId)
            .map((part, index) =>
              index % 2 === 0 ? (
                <WholeWords text={part} />
              ) : (
                <>
                  {part.slice(0, 6)}
                  <span class="@lg:hidden">…</span>
                  <span class="@max-lg:hidden">{part.slice(6, -4)}</span>
                  {part.slice(-4)}
                </>
              ),
            )}
        </span>
      </span>
    ),
    isName: true,
  },
  {
    head: 'Token',
    look: '@sm:w-24 @lg:w-28 @max-sm:hidden',
    cell: ({ token, scope, client }) => (
      <>
        {token}
        <span class="text-note text-ink-soft"> {[scope, client].filter(Boolean).join(' ')}</span>
      </>
    ),
    isUnder: true,
  },
  { head: 'Space', look: '@sm:w-33 @max-lg:hidden', cell: ({ space }) => space },
  { head: 'Address', look: '@sm:w-33 @max-lg:hidden code', cell: ({ address }) => address },
  {
    head: 'Answer',
    look: '@sm:w-42 @max-sm:row-start-2 @max-sm:self-end',
    cell: ({ code }) => (
      <span class={`state tone-${code === '0' ? 'success' : 'fail'}`}>
        {code === '0' ? 'Accepted' : code}
      </span>
    ),
  },
]
