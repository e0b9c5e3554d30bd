import { isFinal } from '../../../contract/statuses.ts'
import { amountOf } from '../../../domain/transaction.ts'
import { waitsFor } from '../../../domain/wake-times.ts'
import { money } from '../../../presentation/money.ts'
import { sequenceOf } from '../../../presentation/sequence.ts'
import { specRecord } from '../../../records/record.ts'
import type { Sandbox } from '../../../sandbox/sandbox.ts'
import { decisionOf, storyWith, transactionNamed } from '../../../views/views.ts'
import { Command, Panel, StatusMark } from '../../parts/marks.tsx'
import { moment, typeNames } from '../../parts/texts.ts'
import { html, type Parts, type View } from '../../parts/view.ts'
import { Family, rootOf } from './family.tsx'
import { reasons } from './reasons.ts'
import { SequenceDiagram } from './sequence-diagram.tsx'
import { cardInWords, resultInWords } from './transaction-rows.tsx'

/** One transaction: what it is, what happened to it, and what acts on it. Errors: SBX_TXN_UNKNOWN. */
export function transactionView(sandbox: Sandbox, id: string, origin: string): View {
  const find = () => transactionNamed(sandbox.engine.state.ledgers, id)
  const { transaction } = find()
  return {
    title: `${typeNames[transaction.type]} ${id}`,
    place: 'transactions',
    live: {
      path: `/transactions/${id}/live`,
      topics: [
        `transaction ${id}`,
        ...(transaction.originalId ? [`transaction ${transaction.originalId}` as const] : []),
      ],
    },
    parts: () => partsOf(sandbox, id, origin),
    body: (slot) => (
      <>
        {slot('headline')}
        <div class="columns">
          <div>
            <Panel title="What happened" name="sequence">
              {slot('sequence')}
            </Panel>
          </div>
          <div class="side">
            <Panel title="Related transactions" name="family">
              {slot('family')}
            </Panel>
            <Panel title="Record" name="record">
              {slot('record')}
            </Panel>
          </div>
        </div>
      </>
    ),
  }
}

async function partsOf(sandbox: Sandbox, id: string, origin: string): Promise<Parts> {
  const attempts = await sandbox.attempts.latest()
  const { ledger, transaction } = transactionNamed(sandbox.engine.state.ledgers, id)
  const deliveries = sandbox.statistics.now.deliveries.of(id).map(({ delivery }) => delivery)
  const story = storyWith(sandbox.engine.state.ledgers, id, deliveries, attempts)
  return {
    headline: html(<Headline found={{ ledger, transaction }} origin={origin} />),
    sequence: html(<SequenceDiagram sequence={sequenceOf(story)} />),
    family: html(<Family ledger={ledger} root={rootOf(ledger, transaction)} own={id} />),
    record: html(<Members found={{ ledger, transaction }} />),
  }
}

type Found = ReturnType<typeof transactionNamed>

interface HeadlineProps {
  readonly found: Found
  readonly origin: string
}

const Headline = ({ found: { ledger, transaction }, origin }: HeadlineProps) => {
  const { id, type, status, currency, terminalSn, createdAt } = transaction
  const { outcome, rule } = decisionOf(transaction)
  const waiting = waitsFor(ledger, transaction)
  const hasReceipt = terminalSn !== null && isFinal(status)
  return (
    <header class="record-head">
      <div>
        <h1 class="record-title">
          <span>{typeNames[type]}</span> <span class="tabular">{money(amountOf(transaction), currency)}</span>
        </h1>
        <p class="record-state">
          <StatusMark status={status} />
          <span>{resultInWords(transaction)}</span>
        </p>
      </div>
      <dl class="facts">
        <Fact name="Paid with">{cardInWords(transaction)}</Fact>
        <Fact name={terminalSn === null ? 'Taken' : 'Terminal'}>{terminalSn ?? 'online'}</Fact>
        <Fact name="Opened">{moment(createdAt, ledger.settings.timeZone)}</Fact>
        {outcome !== null && rule !== null && (
          <Fact name="Outcome">
            {outcome}: {reasons[rule]}
          </Fact>
        )}
        {waiting !== null && <Fact name="Waits for">{waiting}</Fact>}
      </dl>
      <div class="record-acts">
        <Command text={`tillbox query ${id}`} origin={origin} />
        {hasReceipt && (
          <a class="act act-plain" href={`/transactions/${id}/receipt`}>
            Receipt
          </a>
        )}
        <a class="act act-plain" href={`/requests?transactionId=${id}`}>
          Requests
        </a>
      </div>
    </header>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: unknown }) => (
  <div>
    <dt>{name}</dt>
    <dd>{children}</dd>
  </div>
)

/** Every member that has a value, as the query answers it. */
const Members = ({ found: { ledger, transaction } }: { readonly found: Found }) => (
  <dl class="members">
    {Object.entries(specRecord(ledger, transaction))
      .filter(([, value]) => value !== null && value !== '')
      .map(([member, value]) => (
        <div>
          <dt>{member}</dt>
          <dd>{String(value)}</dd>
        </div>
      ))}
  </dl>
)
