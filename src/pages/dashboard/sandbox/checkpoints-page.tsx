import { listCheckpoints } from '../../../control/state/checkpoint-handlers.ts'
import { PostButton } from '../../components/actions.tsx'
import { formatNumber } from '../../components/format.ts'
import { Empty, PageHead, Panel, Table } from '../../components/panel.tsx'
import type { PageRequest, PageView } from '../../frame/page-view.tsx'
import type { PagesContext } from '../../frame/pages-context.ts'
import { latestFirst } from '../../masthead/state-menu.tsx'

/** The checkpoints, the latest first; restores and deletes one. Errors: SBX_STORE_FAIL. */
export async function checkpointsPage(
  context: Pick<PagesContext, 'checkpoints'>,
  { baseUrl }: PageRequest,
): Promise<PageView> {
  const checkpoints = latestFirst((await listCheckpoints(context)).checkpoints)
  return {
    title: 'Checkpoints',
    section: 'transactions',
    body: () => (
      <>
        <PageHead title="Checkpoints" lead="Saved states; save one in the masthead, under State" />
        <Panel title="Saved states" name="checkpoints">
          {checkpoints.length === 0 ? (
            <Empty
              title="No checkpoint is saved"
              commands={['tillbox sandbox checkpoint save clean']}
              baseUrl={baseUrl}
            />
          ) : (
            <Table caption="Checkpoints, the latest first" heads={heads} kind="table dense">
              {checkpoints.map(rowOf)}
            </Table>
          )}
        </Panel>
      </>
    ),
  }
}

const heads = [
  'Name',
  ['Transactions', 'figure'],
  ['Sandbox time (UTC)', 'from-medium'],
  ['Saved (UTC)', 'from-medium'],
  ['Actions', 'figure'],
] as const

type Checkpoint = Awaited<ReturnType<typeof listCheckpoints>>['checkpoints'][number]

const utc = (iso: string | null): string => iso?.slice(0, 19).replace('T', ' ') ?? '–'

const rowOf = ({ name, transactions, sandboxTime, savedAt, problem }: Checkpoint) => (
  <tr>
    <th scope="row" class="code" title={name}>
      {name}
      {problem !== null && <span class="declined"> {problem}</span>}
    </th>
    <td class="figure">{transactions === null ? '–' : formatNumber(transactions)}</td>
    <td class="from-medium time">{utc(sandboxTime)}</td>
    <td class="from-medium time">{utc(savedAt)}</td>
    <td class="figure">
      <span class="row-actions flex gap-3">
        {problem === null && <RowAction name={name} action="restore" text="Restore" />}
        <RowAction name={name} action="delete" text="Delete" />
      </span>
    </td>
  </tr>
)

interface RowActionProps {
  readonly name: string
  readonly action: 'restore' | 'delete'
  readonly text: string
}

const RowAction = ({ name, action, text }: RowActionProps) => (
  <PostButton action={`/checkpoints/${name}/${action}`} look="link" about={name}>
    {text}
  </PostButton>
)
