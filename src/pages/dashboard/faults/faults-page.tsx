import { operationNames } from '../../../contract/operations.ts'
import { controls } from '../../../contract/sandbox/controls/controls.ts'
import type { FaultView } from '../../../contract/sandbox/fault-list.ts'
import { endlessClause, faultKinds } from '../../../contract/sandbox/faults.ts'
import { validate } from '../../../contract/validate.ts'
import { baseUrlOf, type Call } from '../../../http/call.ts'
import { faultFrequency, faultInWords, faultTarget } from '../../../presentation/words.ts'
import { capitalize } from '../../../text/words.ts'
import { PostButton, Select, Submit } from '../../components/actions.tsx'
import { Fold } from '../../components/basics.tsx'
import { Empty, PageHead, Panel, Table } from '../../components/panel.tsx'
import {
  html,
  type NoticeRedirect,
  type PageRequest,
  type PagesContext,
  type PageView,
} from '../../frame/page-view.tsx'
import { pageBefore } from '../../masthead/page-before.ts'
import { fieldsOf } from '../../serving/form-fields.ts'
import { type FormState, RefusedNotice, shownRefusal } from '../payments/form-parts.tsx'

/** The faults that are injected, and a form that injects one. */
export function faultsPage(
  { faults }: PagesContext,
  { baseUrl }: Pick<PageRequest, 'baseUrl'>,
  { values, refusal }: FormState = { values: {} },
): PageView {
  return {
    title: 'Faults',
    section: null,
    ...(refusal !== undefined && { status: 422 as const }),
    live: { path: '/faults/live', topics: ['faults', 'requests', 'webhooks'] },
    fragments: () => ({ faults: listFragment(faults.list(), baseUrl) }),
    body: (slot) => (
      <>
        <PageHead
          title="Faults"
          lead={
            <>
              Injected into answers and webhooks. When several match a request, the oldest is used. The faults{' '}
              {endlessClause}.
            </>
          }
        />
        <Panel title="Injected faults" name="faults">
          {slot('faults')}
        </Panel>
        <Panel title="Inject a fault" name="inject">
          <div class="stack gap-3">
            {refusal !== undefined && <RefusedNotice refusal={refusal} />}
            <FaultForm values={values} />
          </div>
          {kinds}
        </Panel>
      </>
    ),
  }
}

const heads = ['Fault', 'State', ['Used', 'figure'], ['Action', 'figure']] as const

function listFragment(faults: readonly FaultView[], baseUrl: string): string {
  if (faults.length === 0)
    return html(
      <Empty
        title="No fault is injected"
        commands={[
          'tillbox sandbox fault lost-answer --operation sale',
          'tillbox sandbox fault http-503 --share 0.2',
        ]}
        baseUrl={baseUrl}
      >
        <p>
          A request can name a fault of its own in the header <code>X-Sandbox-Fault</code>.
        </p>
      </Empty>,
    )
  return html(
    <>
      <Table caption="Faults, the oldest first" heads={heads}>
        {faults.map((fault) => (
          <tr>
            <th scope="row">
              <span class="code">{fault.kind}</span>
              <span class="under block">{`${faultTarget(fault) || 'all'}, ${faultFrequency(fault)}`}</span>
            </th>
            <td>
              <span class={`state tone-${tones[fault.state]}`}>
                {capitalize(fault.state.replace('-', ' '))}
              </span>
            </td>
            <td class="figure">{fault.used}</td>
            <td class="figure">
              <PostButton
                action={`/faults/${fault.id}/clear`}
                id={`clear-${fault.id}`}
                about={`${fault.id}, ${fault.kind}`}
              >
                Remove
              </PostButton>
            </td>
          </tr>
        ))}
      </Table>
      <form class="clear-faults pad-top-3 rule-above" method="post" action="/faults/clear">
        <Submit look="large-plain" id="clear-all">
          Remove all
        </Submit>
      </form>
    </>,
  )
}

const tones = { on: 'open', later: 'open', 'used-up': 'closed', over: 'closed' } as const

/** How each kind may be written, with a value where it needs one. */
const examples = Object.values(faultKinds).flatMap(({ example }) => example)

const times = [
  ['', 'Once'],
  ['2', 'Twice'],
  ['3', '3 times'],
  ['10', '10 times'],
  ['always', 'Always'],
] as const

const asText = { maxlength: 64, spellcheck: false, autocomplete: 'off' } as const

const FaultForm = ({ values }: Pick<FormState, 'values'>) => (
  <form class="fault-form stack" method="post" action="/faults">
    <label class="filter shrinks">
      <span>Fault, such as lost-answer or http-503</span>
      <input name="kind" list="fault-kinds" required value={values.kind} {...asText} />
    </label>
    <datalist id="fault-kinds">
      {examples.map((example) => (
        <option value={example} />
      ))}
    </datalist>
    <label class="filter shrinks">
      <span>Operation</span>
      <Select name="operation" options={[['', 'Any'], ...operationNames]} chosen={values.operation} />
    </label>
    <label class="filter shrinks">
      <span>Terminal</span>
      <input name="terminalSn" value={values.terminalSn} {...asText} />
    </label>
    <label class="filter shrinks">
      <span>How often</span>
      <Select name="times" options={times} chosen={values.times} />
    </label>
    <Submit look="large">Inject</Submit>
  </form>
)

/** What each kind does. */
const kinds = (
  <Fold summary="What the faults do">
    <Table caption="Faults, and what they do" heads={['Fault', 'What happens']}>
      {Object.values(faultKinds).map(({ syntax, summary }) => (
        <tr>
          <th scope="row" class="code">
            {syntax}
          </th>
          <td>{summary}.</td>
        </tr>
      ))}
    </Table>
  </Fold>
)

/** Injects the fault that the form describes; a refusal is shown above the form, and the input is kept. Errors: SBX_STORE_FAIL. */
export async function injectAction(context: PagesContext, call: Call): Promise<NoticeRedirect | PageView> {
  const values = await fieldsOf(call, ['kind', 'operation', 'terminalSn', 'times'])
  const { kind = '', operation, terminalSn, times } = values
  try {
    const members = {
      kind: kind.trim(),
      ...(operation && { operation }),
      ...(terminalSn && { terminalSn: terminalSn.trim() }),
      ...(times === 'always' ? { always: true } : times && { times: Number(times) }),
    }
    const fault = await context.commands.addFault(validate(controls['add-fault'], members))
    const text = `Injected ${faultInWords(fault)}, ${faultFrequency(fault)}.`
    const undo = { path: `/faults/${fault.id}/clear`, fields: {} }
    return { to: pageBefore(call, '/faults'), notice: { text, undo } }
  } catch (error) {
    return faultsPage(context, { baseUrl: baseUrlOf(call) }, { values, refusal: shownRefusal(error) })
  }
}
