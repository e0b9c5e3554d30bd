import { randomUUID } from 'node:crypto'
import type { Child } from 'hono/jsx'
import { errorTable, Refusal, rejectSaying } from '../../../contract/errors.ts'
import { money } from '../../../contract/presentation/money.ts'
import { typeNames } from '../../../contract/statuses.ts'
import { amountOf, type Transaction } from '../../../domain/model/transaction.ts'
import type { FormRequest } from '../../../sandbox/answering/answer.ts'
import { baseUrlOf, type Call, idInPath } from '../../../sandbox/http/call.ts'
import { statusInWords } from '../../../sandbox/views/status-in-words.ts'
import { withoutCommands } from '../../../shared/text/commands.ts'
import { capitalize, memberInWords, sentences } from '../../../shared/text/words.ts'
import { Hidden, type SelectOption, Submit } from '../../components/actions.tsx'
import { Notice } from '../../components/basics.tsx'
import { WholeWords } from '../../components/command.tsx'
import { drawField, type FormField } from '../../components/field.tsx'
import { actionLooks, titleLook } from '../../components/looks.ts'
import type { Section } from '../../components/navigation.tsx'
import type {
  FormState,
  MakePage,
  NoticeRedirect,
  PageAction,
  PageRequest,
  PagesContext,
  PageView,
  Values,
} from '../../frame/page-view.tsx'
import { formAmount, readFields } from '../../serving/form-fields.ts'
import { resultInWords } from '../transactions/transaction-table.tsx'
import { type Equivalents, EquivalentsPanel } from './equivalents.tsx'

interface ActionPage {
  readonly title: string
  readonly heading: string
  /** An additional class. */
  readonly name?: string
  readonly lead?: Child
  readonly form: FormState
  /** Why it is not possible whatever is typed, and links to what is; then there is no form. */
  readonly against?: { readonly why: string; readonly instead: Child } | null
  readonly action: string
  readonly submit: string
  /** Look of its button, if it is no ordinary one. */
  readonly look?: 'commit' | undefined
  readonly back: string
  /** Text of its link, where the page asks: it says what is kept, and has the keyboard first. */
  readonly cancel?: string | undefined
  /** The section of the page; payments belong to transactions. */
  readonly section?: Section | 'sandbox'
  /** Values that are not shown, beside the transaction request id. */
  readonly hidden?: Values
  readonly fields?: Child
  /** What does the same; nothing is shown where it refuses a field. */
  readonly equivalents?: () => Equivalents
}

/** Page and drawer of a form that acts, or of a question before it; a refusal is above the form. */
export const actionPage = ({ form, against, section = 'transactions', ...page }: ActionPage): PageView => ({
  title: page.title,
  section,
  isAct: true,
  body: () => (
    <section
      class={['panel action-panel', page.name].filter(Boolean).join(' ')}
      aria-labelledby="action-title"
      data-drawer-content
    >
      <h1 class={titleLook} id="action-title">
        <WholeWords text={page.heading} />
      </h1>
      {page.lead}
      {against ? (
        <>
          <Notice tone="info" title={form.refusal === undefined ? 'Not possible' : 'Not possible any more'}>
            <p>{against.why}.</p>
          </Notice>
          <div class="flex flex-wrap gap-3">
            {against.instead}
            <a class={actionLooks.plain} href={page.back} data-close>
              Back
            </a>
          </div>
        </>
      ) : (
        <>
          {form.refusal !== undefined && <RefusedNotice refusal={form.refusal} fields={form.values} />}
          <form class="grid gap-6" method="post" action={page.action} data-action-form>
            <Hidden
              fields={{ transactionRequestId: form.values.transactionRequestId ?? '', ...page.hidden }}
            />
            {page.fields}
            <div class="flex flex-wrap gap-3">
              <Submit look={page.look ?? 'main'}>{page.submit}</Submit>
              <a class={actionLooks.plain} href={page.back} autofocus={page.cancel !== undefined} data-close>
                {page.cancel ?? 'Cancel'}
              </a>
            </div>
          </form>
          {page.equivalents && <EquivalentsPanel make={unlessRefused(form, page.equivalents)} />}
        </>
      )}
    </section>
  ),
})

/** Which payment a form is about; `more`: what is left of it. */
export const paymentLine = (payment: Transaction, more: string | null = null) => (
  <p class="text-sm text-ink-soft" data-about>
    {typeNames[payment.type]} {money(amountOf(payment), payment.currency)},{' '}
    <a href={`/transactions/${payment.id}`}>{payment.id}</a>
    {more !== null && `, ${more}`}
  </p>
)

/** What does the same as a form, unless one of its fields was refused. */
const unlessRefused =
  ({ refusal }: FormState, make: () => Equivalents) =>
  (): Equivalents => {
    if (refusal?.field !== undefined) throw refusal
    return make()
  }

/** A question before a part of the state is removed. `cancel`: path and text of the link back. */
export const questionPage = (
  title: string,
  action: string,
  submit: string,
  [back, cancel]: readonly [path: string, text: string],
  lead: Child,
  more: Partial<Pick<ActionPage, 'section' | 'hidden' | 'look'>> = {},
): PageView =>
  actionPage({
    title,
    lead,
    action,
    submit,
    back,
    cancel,
    heading: `${title}?`,
    name: 'question',
    form: { values: {} },
    section: 'sandbox',
    look: 'commit',
    ...more,
  })

/** A transaction request id for one form: sent twice, it is the same request. */
export const newTransactionRequestId = (): string => `dashboard-${randomUUID()}`

/** The error of the field, if the refusal names it. */
const fieldError = ({ refusal }: FormState, name: string): string | undefined =>
  refusal?.field === name ? whatIsWrong(refusal) : undefined

/** What is wrong with a field, and what to do, in sentences; C17 itself says no more than that. */
function whatIsWrong({ code, message, field = '', detail = message, remedy }: Refusal): string {
  const isAbout = code === 'C17' && /^[a-z]/.test(detail)
  const says = isAbout ? `${memberInWords(field)} ${detail}`.trim() : detail
  return sentences(capitalize(says), remedy !== errorTable.C17.remedy && withoutCommands(remedy))
}

/** The fields of a form, as they were typed, with the refusal beside the one that it names. */
export const formFields = (form: FormState, fields: readonly (FormField | false)[]) =>
  fields.map(
    (field) =>
      field &&
      drawField(field, { value: form.values[field.name] ?? '', error: fieldError(form, field.name) }),
  )

/** Fields side by side. */
export const fieldPair = (form: FormState, fields: readonly (FormField | false)[]) => (
  <div class="field-pair grid gap-4 empty:hidden">{formFields(form, fields)}</div>
)

interface RefusedNoticeProps {
  readonly refusal: Refusal
  /** The fields of the form: what is wrong with one of them is said there alone. */
  readonly fields?: Values
}

/** The refusal, in the service's words. */
export function RefusedNotice({ refusal, fields = {} }: RefusedNoticeProps) {
  const { code, message, field = '', detail, remedy } = refusal
  if (field !== 'transactionRequestId' && field in fields) return null
  return code === 'C17' ? (
    <Notice tone="error" title={whatIsWrong(refusal)} />
  ) : (
    <Notice tone="error" title={sentences(message)}>
      <p>{sentences(detail !== undefined && capitalize(detail), withoutCommands(remedy))}</p>
    </Notice>
  )
}

interface AddFormProps {
  readonly title: string
  readonly action: string
  readonly submit: string
  readonly form: FormState
  readonly fields: readonly FormField[]
}

/** The button that opens the form which adds to a list: in its head, and in an empty list. */
export const AddForm = ({ title, action, submit, form, fields }: AddFormProps) => (
  <details class="add group/add relative in-[.page-head]:text-end" open={form.refusal !== undefined}>
    <summary class={`${actionLooks.main} in-[.page-head]:group-open/add:invisible`}>{title}</summary>
    <form
      class="popover mt-1 text-start sm:top-[calc(100%+0.25rem)] sm:right-0 sm:w-60 sm:in-[.page-head]:static sm:in-[.page-head]:m-0 sm:in-[.page-head]:flex sm:in-[.page-head]:w-auto sm:in-[.page-head]:flex-wrap sm:in-[.page-head]:items-end"
      method="post"
      action={action}
    >
      <h2 class="sm:hidden">{title}</h2>
      {form.refusal !== undefined && <RefusedNotice refusal={form.refusal} fields={form.values} />}
      {formFields(form, fields)}
      <Submit look="main">{submit}</Submit>
      <a class={actionLooks.plain} href={action}>
        Cancel
      </a>
    </form>
  </details>
)

/** The outcomes that can be asked for; none leaves it to the rules. */
const outcomeOptions = ({ catalogue }: PagesContext): readonly SelectOption[] => [
  ['', 'by the rules'],
  ...catalogue.outcomes.map(({ name, code }) => [name, `${code} ${name}`] as const),
]

/** The field that asks for an outcome; false where requests cannot name one. */
export const outcomeField = (context: PagesContext): FormField | false =>
  context.options.extras && { name: 'outcome', label: 'Outcome', options: outcomeOptions(context) }

/** Example of a receiver, in fields and in the commands beside them, so that they run as copied. */
export const exampleUrl = 'http://localhost:3000/hook'

/** Amounts of a form in minor units; empty ones are left out. */
export const typedAmounts = (values: Values, names: readonly string[], currency: string) =>
  Object.fromEntries(
    names
      .filter((name) => (values[name] ?? '').trim() !== '')
      .map((name) => [name, formAmount(values[name] ?? '', currency, name)]),
  )

/** Fields of a form that are members as they were typed, without the empty ones. */
export const typedTexts = (values: Values, names: readonly string[]): Readonly<Record<string, string>> =>
  Object.fromEntries(
    names.map((name) => [name, (values[name] ?? '').trim()] as const).filter(([, value]) => value !== ''),
  )

/**
 * What a form does: a refusal is shown on its page with status 422, and the input is kept. A browser that
 * leaves its page for the answer is led to the form by an address, so that it can go back. `baseUrlFor`:
 * where the sandbox is reached.
 */
export const formAction =
  (
    page: MakePage,
    names: readonly string[],
    act: (
      context: PagesContext,
      values: Values,
      request: PageRequest,
      call: Call,
    ) => Promise<NoticeRedirect | PageView>,
    baseUrlFor = baseUrlOf,
  ): PageAction =>
  async (context, call) => {
    const values = await readFields(call, names)
    if (names.includes('transactionRequestId')) requireFormId(values.transactionRequestId)
    const request = postedPageRequest(call, baseUrlFor)
    try {
      return await act(context, values, request, call)
    } catch (error) {
      const refusal = shownRefusal(error)
      call.set('answered', refusal.code)
      const form = { values, refusal }
      if (call.req.header('sec-fetch-mode') === 'navigate')
        return { to: call.req.path, notice: { text: '', refused: form } }
      return { ...(await page(context, request, form)), status: 422 }
    }
  }

/** The request for the page of a form that was sent. */
export const postedPageRequest = (call: Call, baseUrlFor = baseUrlOf): PageRequest => ({
  id: idInPath(call),
  query: {},
  baseUrl: baseUrlFor(call),
})

/** Errors: C17 for a transaction request id that no form of ours has. */
export function requireFormId(id = ''): void {
  if (!/^dashboard-[\da-f-]{36}$/.test(id))
    rejectSaying('transactionRequestId', 'The form does not come from this page')
}

/**
 * Sends the request of a form; a second submission does nothing more. `opened`: the transaction of the first
 * one; undefined when the operation opens none.
 */
export async function sendOnce(context: PagesContext, request: FormRequest, transactionRequestId: string) {
  const openedBy = () =>
    context.engine.state.ledgers
      .get(request.merchantId)
      ?.transactions.withTransactionRequestId(transactionRequestId)
  try {
    const { data, replayed } = await context.handleFormRequest(request)
    return { data, opened: openedBy(), wasSent: replayed === true }
  } catch (error) {
    if (!(error instanceof Refusal) || !/^SBX_DUP_(TXN_ID|OTHER)$/.test(error.code)) throw error
    return { data: {}, opened: openedBy(), wasSent: true }
  }
}

type SentForm = Awaited<ReturnType<typeof sendOnce>>

/** What a sent form did, in words; undefined: it opened nothing. `label`: in place of the payment's type. */
export function sentText({ opened, wasSent }: SentForm, label?: string): string | undefined {
  if (wasSent) return 'This form was already sent. Nothing was done again.'
  if (opened === undefined) return undefined
  const { type, currency, status } = opened
  const what = `${label ?? typeNames[type]} ${money(amountOf(opened), currency)}`
  const why = status === 'FAIL' ? `, ${resultInWords(opened)}` : ''
  return `${what}: ${statusInWords(opened).toLowerCase()}${why}.`
}

/** A refusal to show beside the input. Card data is not shown again. */
export function shownRefusal(error: unknown): Refusal {
  const isShown =
    error instanceof Refusal && errorTable[error.code].kind === 'business' && error.code !== 'SBX_CARD_DATA'
  if (!isShown) throw error
  return error
}
