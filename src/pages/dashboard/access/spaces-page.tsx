import { controls } from '../../../contract/control/controls/controls.ts'
import { basePathOfSpace, firstSpace } from '../../../contract/control/spaces.ts'
import { reject } from '../../../contract/errors.ts'
import { validate } from '../../../contract/validate.ts'
import { createSpace, requireSpaces } from '../../../sandbox/control/access-handlers.ts'
import type { KnownSpace } from '../../../sandbox/control/control-context.ts'
import type { FormField } from '../../components/field.tsx'
import { formatNumber, plural, utc } from '../../components/format.ts'
import { actionLooks } from '../../components/looks.ts'
import { Table } from '../../components/panel.tsx'
import { type MakePage, spaceName } from '../../frame/page-view.tsx'
import { AddForm, formAction, questionPage } from '../payments/form-parts.tsx'

/** The spaces of the server, to switch between, and a form that creates one. */
export const spacesPage: MakePage = async (context, _, form = { values: {} }) => {
  const spaces = await requireSpaces(context).list()
  return {
    title: 'Spaces',
    section: 'sandbox',
    lead: 'Each space is a sandbox of its own, with its own keys, payments and clock.',
    aside: () => (
      <AddForm
        title="New space"
        action="/spaces"
        submit="Create the space"
        form={form}
        fields={[{ name: 'name', label: 'Name', maxLength: 48, placeholder: 'ci-1' }, lifeField]}
      />
    ),
    body: () => (
      <section class="panel">
        <Table caption="Spaces, the first one first" heads={heads}>
          {spaces.map((space) => spaceRow(space, spaceName(context) ?? firstSpace))}
        </Table>
      </section>
    ),
  }
}

const heads = [
  'Name',
  ['Transactions', 'figure @max-sm:hidden'],
  ['Created (UTC)', '@max-md:hidden'],
  ['Expires (UTC)', '@max-md:hidden'],
  ['', 'figure'],
] as const

/** `here`: name of the space of the page. */
const spaceRow = ({ name, transactions, createdAt, expiresAt }: KnownSpace, here: string) => (
  <tr>
    <th scope="row">
      <a class="code" href={`${basePathOfSpace(name)}/`}>
        {name}
      </a>
      {name === here && <span class="pill ms-2">this one</span>}
      <span class="under block @sm:hidden">
        {transactions !== null && `${plural(transactions, 'transaction')}, `}
        {expiresAt === null ? 'never expires' : `until ${utc(expiresAt).slice(0, 10)}`}
      </span>
    </th>
    <td class="figure @max-sm:hidden">{transactions === null ? 'not loaded' : formatNumber(transactions)}</td>
    <td class="@max-md:hidden whitespace-nowrap">{utc(createdAt)}</td>
    <td class="@max-md:hidden whitespace-nowrap">{expiresAt === null ? 'never' : utc(expiresAt)}</td>
    <td class="figure">
      {name !== firstSpace && (
        <span class="row-actions flex justify-end">
          <a class={actionLooks.quiet} href={`/spaces/${name}/remove`} data-drawer>
            Remove…<span class="sr-only"> {name}</span>
          </a>
        </span>
      )}
    </td>
  </tr>
)

/** Makes a space. */
export const createSpaceAction = formAction(
  spacesPage,
  ['name', 'life'],
  async (context, values, _, call) => {
    const name = values.name?.trim() || undefined
    const input = validate(controls['create-space'], { name, ttlMs: ttlMs(values.life) })
    const made = await context.send(createSpace, input, call)
    return { to: '/spaces', notice: { text: `Created the space ${made.name}.` } }
  },
)

/** Confirmation page before a space is removed: says what it has. */
export const removeSpacePage: MakePage = async (context, { id }) => {
  const spaces = await requireSpaces(context).list()
  const { transactions } = spaces.find(({ name }) => name === id) ?? reject('SBX_SPACE_NONE')
  const payments = transactions ? plural(transactions, 'transaction') : 'transactions'
  return questionPage(
    `Remove the space ${id}`,
    `/spaces/${id}/remove`,
    'Remove',
    ['/spaces', 'Keep it'],
    <p class="text-sm">This deletes its {payments}, terminals and snapshots. It cannot be undone.</p>,
  )
}

const day = 86_400_000

/** How long a space or a token lives. */
export const lifeField: FormField = {
  name: 'life',
  label: 'Expires',
  options: [
    ['', 'never'],
    ['1', 'after 1 day'],
    ['7', 'after 7 days'],
    ['30', 'after 30 days'],
  ],
}

/** The chosen life in milliseconds; undefined: without end. */
export const ttlMs = (days: string | undefined): number | undefined => (days ? Number(days) * day : undefined)
