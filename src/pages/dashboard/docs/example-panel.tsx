import type { Refusal } from '../../../contract/errors.ts'
import type { DocumentedOperation } from '../../../docs/documented-operations.ts'
import { shortDuration } from '../../../text/duration-words.ts'
import { notificationBody, webhookId } from '../../../webhooks/notifications/notification.ts'
import { Select, Submit } from '../../components/actions.tsx'
import { Body } from '../../components/http-message.tsx'
import { Panel } from '../../components/panel.tsx'
import type { PagesContext, Values } from '../../frame/page-view.tsx'
import { EquivalentsPanel } from '../payments/equivalents.tsx'
import { RefusedNotice } from '../payments/form-parts.tsx'
import { type ExampleAnswer, exampleEquivalents, formParameters, isSendable } from './example.ts'

/** The form of an example, and how it was answered. */
export interface ExampleState {
  readonly fields: Values
  readonly answer?: ExampleAnswer
  /** Why the form was not sent. */
  readonly refusal?: Refusal
}

/** The example of an operation: edited, sent to this sandbox, and as a command. With scripts the answer comes without a new page. */
export const examplePanel = (
  context: PagesContext,
  entry: DocumentedOperation,
  baseUrl: string,
  state: ExampleState,
) =>
  entry.path === null ? (
    latestWebhook(context, entry)
  ) : (
    <aside class="docs-example stack one-column gap-4" id="example" data-drawer-content>
      <Panel title="Try it" name="try" note={<span class="note breaks">{baseUrl}</span>}>
        {isSendable(entry) ? (
          exampleForm(entry, state.fields)
        ) : (
          <p class="quiet soft small">A page cannot send it: use the command.</p>
        )}
        {state.refusal !== undefined && <RefusedNotice refusal={state.refusal} />}
        {state.answer !== undefined && <Answer answer={state.answer} />}
        <EquivalentsPanel make={() => exampleEquivalents(context, entry, state.fields, baseUrl)} />
      </Panel>
    </aside>
  )

/** The body of the latest webhook of that kind which this sandbox has. */
const latestWebhook = (context: PagesContext, entry: DocumentedOperation) => {
  const isResult = entry.id === 'payment-result'
  const { all } = context.statistics.current.deliveries
  const latest = all.findLast(({ delivery }) => (delivery.event === null) === isResult)
  return (
    <aside class="docs-example">
      <Panel title="The latest one" name="latest">
        {latest === undefined ? (
          <p class="quiet soft small">
            There is none yet. A payment with a {isResult ? 'notifyUrl' : 'terminalEventNotifyUrl'} sends one.
          </p>
        ) : (
          <>
            <p class="small">
              <a href={`/webhooks/${webhookId(latest.ledger, latest.delivery)}`}>How it was delivered</a>
            </p>
            <Body label="Body" text={notificationBody(latest.ledger, latest.delivery)} />
          </>
        )}
      </Panel>
    </aside>
  )
}

/** Most lines of a body that are shown without scrolling. */
const mostLines = 24

const exampleForm = (entry: DocumentedOperation, fields: Values) => {
  const { id, method, operation } = entry
  const path = `/docs/${id}`
  const lines = (fields.body ?? '').split('\n').length
  return (
    <form
      method="post"
      action={path}
      class="stack gap-3"
      data-action-form
      hx-post={path}
      hx-target="#example"
      hx-select="#example"
      hx-swap="outerHTML"
      hx-disabled-elt="find [type=submit]"
    >
      {formParameters(entry).map(([field, { name, required, description = '', schema }]) => (
        <div class="docs-parameter stack middle gap-2">
          <label class="code small cut" title={description} for={`example-${field}`}>
            {name}
          </label>
          {schema.enum === undefined ? (
            <input
              id={`example-${field}`}
              name={field}
              value={fields[field]}
              class="code small pad-0-2"
              required={required}
              maxlength={1024}
              spellcheck={false}
              autocomplete="off"
            />
          ) : (
            <Select
              id={`example-${field}`}
              name={field}
              options={['', ...schema.enum.map(String)]}
              chosen={fields[field]}
            />
          )}
        </div>
      ))}
      {operation.requestBody !== undefined && (
        <label>
          <span class="note">JSON body</span>
          <textarea
            id="example-body"
            name="body"
            class="docs-body pad-2-3 code on-sunken"
            rows={Math.min(Math.max(lines + 1, 3), mostLines)}
            spellcheck={false}
            autocomplete="off"
          >
            {fields.body}
          </textarea>
        </label>
      )}
      <p class="row gap-3 wrap below-4">
        <Submit look={method === 'DELETE' || id === 'reset' ? 'commit' : 'main'} id="send-example">
          Send to this sandbox
        </Submit>
        <span class="note with-scripts">Ctrl Enter</span>
      </p>
    </form>
  )
}

/** How the sandbox answered, after which time, and what the answer is about. */
const Answer = ({ answer }: { readonly answer: ExampleAnswer }) => {
  const { status, code, text, milliseconds, traceId, transactionId } = answer
  const isAccepted = status !== null && status < 400 && (code === null || code === '0')
  return (
    <section class="above-3" aria-labelledby="answer-title" tabindex={-1} autofocus>
      <p class="row gap-3 wrap small" role="status">
        <strong id="answer-title">Answer</strong>
        <span class={`state tone-${isAccepted ? 'success' : 'fail'}`}>
          {[status ?? 'none', code === '0' ? null : code].filter(Boolean).join(' · ')}
        </span>
        <span class="note tabular">{shortDuration(milliseconds)}</span>
        {transactionId !== undefined && <a href={`/transactions/${transactionId}`}>Payment</a>}
        {traceId !== undefined && <a href={`/requests/${traceId}`}>Logged request</a>}
      </p>
      {text !== '' && <Body label="Answer" text={text} />}
    </section>
  )
}
