import * as v from 'valibot'
import { controls } from '../../../contract/control/controls/controls.ts'
import { screenName } from '../../../contract/control/screens.ts'
import { flag, memberHelp } from '../../../contract/member-kinds.ts'
import { commandArgument, memberSchemas, moneyMembers } from '../../../contract/operation-members.ts'
import { type OperationName, operationNames, operationRow, operations } from '../../../contract/operations.ts'
import { parseStatuses } from '../../../contract/statuses.ts'
import { described, only, filledText as text } from '../../../sandbox/fixture-files/fixtures-problems.ts'
import { isObject } from '../../../shared/is-object.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import { plainWords } from '../../../shared/text/plain-words.ts'
import { suggestion } from '../../../shared/text/suggest.ts'
import { requestLine, serverRequest, serverSection } from '../merchant/server-schema.ts'
import {
  actionNames,
  controlActions,
  type OtherAction,
  operationOfAction,
  otherActions,
  shortNamesOf,
} from './actions.ts'
import { isReference } from './references.ts'
import { sandboxOptions } from './scenario-sandbox.ts'

/**
 * The schema of a scenario file, which also makes the schema for editors. Names are checked here, but values
 * of requests only by the service: a scenario may send wrong ones on purpose.
 */

const anything = (help: string) => v.pipe(v.unknown(), v.description(help))

const spanForm = 'must be a time with its unit, such as 500ms, 90s or 1d'
const isSpan = (value: string) =>
  isReference(value) || (/[a-z]$/.test(value) && parseDuration(value) !== undefined)

/** A span of time: `500ms`, `90s`, `5m`, `2h`, `30d`. */
const span = (help: string) => v.pipe(v.string(spanForm), v.check(isSpan, spanForm), v.description(help))

/** A whole number of a range, or a reference to one. */
const whole = (help: string, least: number, most: number) =>
  v.pipe(
    v.unknown(),
    v.check(
      (value) =>
        isReference(value) || (Number.isInteger(value) && Number(value) >= least && Number(value) <= most),
      `must be a whole number from ${least} to ${most}`,
    ),
    v.description(help),
  )

/** The value chooses the schema, so that errors fit its form; without one, any fits, for editors. */
const either = <S extends v.GenericSchema>(
  choose: (value: unknown) => S | undefined,
  all: readonly S[],
): v.GenericSchema =>
  v.lazy((value) => (value === undefined ? v.union([...all]) : (choose(value) ?? (all[0] as S))))

/** Members, or a value that stands for one of them. */
const membersOr = (short: v.GenericSchema, members: v.GenericSchema): v.GenericSchema =>
  either((value) => (isObject(value) ? members : short), [members, short])

const none = v.null('must have no value, or members')

const status = v.pipe(
  v.string('must be a status'),
  v.check(
    (value) => isReference(value) || parseStatuses(value) !== undefined,
    'must be approved, declined, closed, pending, or a status of the service',
  ),
  v.description('Status that is expected: approved, declined, closed, pending, or one of the service'),
)

const ofAnswer = {
  code: v.optional(anything('Code of the answer; left out, "0": it is accepted')),
  lost: v.optional(flag('True: no usable answer comes')),
  answer: v.optional(anything('Members of the answer; those left out do not matter')),
  error: v.optional(anything('Members of a refusal: msg, field, detail, remedy')),
}

const ofRecord = {
  record: v.optional(anything('Members of the record in the end; those left out do not matter')),
}

/** The expectations that a step compares. */
const expecting = (entries: v.ObjectEntries) => ({
  expect: v.optional(
    v.pipe(
      only(entries),
      v.check(
        (expected) => expected.lost !== true || Object.keys(expected).length === 1,
        'has lost: true, beside which nothing can be compared',
      ),
    ),
  ),
})

const captured = v.optional(
  v.pipe(
    v.string('must be a name'),
    v.regex(/^[A-Za-z][\w-]*$/, 'must be a name of letters, digits, - and _'),
    v.description('Name of what it answers, for later steps: $name.member'),
  ),
)

const common = { title: v.optional(text('What the step is for; reports show it')), as: captured }

const [waitOff, waitLong] = [
  flag('False: go on as soon as it is accepted'),
  span('How long its end is waited for'),
]
const wait = either(
  (value) => (typeof value === 'string' ? waitLong : waitOff) as v.GenericSchema,
  [waitOff, waitLong],
)

const requestMember = (member: string, schema: v.GenericSchema) =>
  v.optional(
    anything(`${memberHelp(schema)}${moneyMembers.has(member) ? ': 10.00 USD, or { minor: 1000 }' : ''}`),
  )

function operationStep(name: OperationName) {
  const entries = memberSchemas(name)
  const { opens, opensPage } = operationRow(name)
  const shorts = Object.entries(shortNamesOf(name)).map(([short, member]) => [
    short,
    requestMember(member, entries[member] as v.GenericSchema),
  ])
  const beside = {
    ...common,
    ...expecting({ status: v.optional(status), ...ofAnswer, ...ofRecord }),
    ...(opens !== undefined && {
      ...(!opensPage && { wait: v.optional(wait) }),
      outcome: v.optional(text('Outcome by name; a sandbox obeys it')),
    }),
    fault: v.optional(
      text('Fault that is injected into the answer, such as lost-answer; a sandbox obeys it'),
    ),
  }
  const members = only(
    {
      ...Object.fromEntries(
        Object.entries(entries).map(([each, schema]) => [each, requestMember(each, schema)]),
      ),
      ...Object.fromEntries(shorts),
    },
    (member) => Object.hasOwn(beside, member) && `write it beside ${operations[name].command}, not in it`,
  )
  const argument = commandArgument(name)
  const short = argument === undefined ? none : v.nullable(text(argument.description))
  return only({
    [operations[name].command]: v.pipe(membersOr(short, members), v.description(operations[name].summary)),
    ...beside,
  })
}

function controlStep(action: string) {
  const { control, at, short, says, summary } = controlActions[action] as (typeof controlActions)[string]
  const entries: v.ObjectEntries = controls[control].input.entries
  const stated = Object.entries(entries).filter(([name]) => says?.[name] === undefined && name !== 'attempts')
  const members: v.ObjectEntries = {
    ...Object.fromEntries(
      stated.map(([name, schema]) => [name, requestMember(name, schema as v.GenericSchema)]),
    ),
    ...(at !== undefined && { [at]: v.optional(anything(argumentMeanings[at])) }),
  }
  const alone = short === undefined ? none : v.nullable(anything(`The same as ${short}:`))
  return only({
    [action]: v.pipe(membersOr(alone, only(members)), v.description(summary)),
    ...common,
    ...expecting(ofAnswer),
  })
}

const argumentMeanings = {
  terminal: 'Serial number of the terminal; default: that of the last payment',
  session: 'Hosted page; left out, the newest of the scenario',
} as const

const clock = membersOr(
  v.picklist(['freeze', 'resume', 'reset'], 'must be freeze, resume, reset, or advance: or set: with a time'),
  v.pipe(
    only({
      advance: v.optional(span('How far the clock goes ahead')),
      set: v.optional(text('Time to set, ISO 8601')),
    }),
    v.check((value) => Object.keys(value).length === 1, 'must have one of advance and set'),
  ),
)

/** Members of a wait by what is waited for. */
const subjects = [['payment', 'status'], ['terminal', 'screen'], ['session', 'state'], ['webhooks']]

const subjectsIn = (condition: object): number =>
  subjects.filter((members) => members.some((member) => member in condition)).length

const waitUntil = v.pipe(
  only({
    payment: v.optional(anything('Payment to wait for')),
    status: v.optional(status),
    terminal: v.optional(anything('Terminal to wait for')),
    screen: described(screenName, 'Screen that it shows then'),
    session: v.optional(anything('Hosted page to wait for')),
    state: v.optional(text('State of the page then: open, processing, paid, failed, expired or cancelled')),
    webhooks: described(v.literal('delivered', 'must be delivered'), 'No delivery is pending any more'),
    within: v.optional(span('How long at most; left out: 10s')),
  }),
  v.check((condition) => subjectsIn(condition) < 2, 'waits for more than one thing: make them two steps'),
  v.check(
    (condition) => subjectsIn(condition) > 0,
    'must have a payment, terminal, screen, session, state or webhooks',
  ),
  v.check((condition) => !('status' in condition) || 'payment' in condition, 'has a status, and no payment'),
)

const webhook = only({
  of: v.optional(anything('Payment that they tell of; left out, of any')),
  event: v.optional(text('payment, terminal, or a terminal event by name; left out: payment')),
  status: v.optional(status),
  count: v.optional(anything('How often one arrived: a number, or a comparison; left out: at least once')),
  distinct: v.optional(anything('How many notifications they are, by X-Client-Request-Id')),
  order: described(
    v.array(v.unknown(), 'must be a list'),
    'Payments, statuses or events in the order in which they arrived',
  ),
  signature: described(v.picklist(['valid', 'invalid'], 'must be valid or invalid'), 'Verdict on each'),
  body: v.optional(anything('Members of each body; those left out do not matter')),
  nothingElseWithin: v.optional(span('No further one arrives for so long')),
  within: v.optional(span('How long they are waited for; left out: 10s')),
})

const receiver = only({
  status: v.optional(whole('HTTP status of its answers', 200, 599)),
  times: v.optional(whole('How often; then it answers 200. Left out: always', 1, Number.MAX_SAFE_INTEGER)),
})

/** What the server is doing when it is killed. */
const crashOn = v.picklist(
  ['webhook', ...operationNames.map((name) => operations[name].command)],
  'must be webhook, or an operation such as sale',
)

const forgedSignature = described(v.picklist(['none'], 'must be none'), 'It has no signature')

/** A step with these members of its action, and expectations. */
const other = (action: OtherAction, members: v.GenericSchema, expected: v.ObjectEntries = {}) =>
  only({ [action]: v.pipe(members, v.description(otherActions[action])), ...common, ...expected })

const otherSteps = {
  clock: other('clock', clock, expecting(ofAnswer)),
  'wait until': v.pipe(
    other('wait until', waitUntil, expecting(ofRecord)),
    v.check(
      (value: Readonly<Record<string, unknown>>) =>
        value.expect === undefined || 'payment' in (value['wait until'] as object),
      'has expect, which only a wait for a payment compares',
    ),
  ),
  webhook: other('webhook', webhook),
  receiver: other('receiver', receiver),
  'webhook release': other('webhook release', none),
  'webhook forge': other('webhook forge', v.nullable(only({ signature: forgedSignature }))),
  'server request': other(
    'server request',
    membersOr(requestLine, serverRequest),
    expecting({ answer: ofAnswer.answer }),
  ),
  'server crash': other('server crash', v.nullable(membersOr(crashOn, only({ on: crashOn })))),
  'server reconcile': other('server reconcile', none),
  command: only({ command: text(otherActions.command), ...common }),
} as const satisfies Record<OtherAction, v.GenericSchema>

/** The schema of each step by its action, in the order of the documents. */
const stepSchemas: Readonly<Record<string, v.GenericSchema>> = Object.fromEntries([
  ...operationNames.map((name) => [operations[name].command, operationStep(name)]),
  ...Object.keys(controlActions).map((action) => [action, controlStep(action)]),
  ...Object.entries(otherSteps),
])

/** The actions that a step names; a fault beside an operation belongs to it. */
export function actionsIn(value: object): readonly string[] {
  const named = Object.keys(value).filter((key) => Object.hasOwn(stepSchemas, key))
  return named.some((key) => operationOfAction(key) !== undefined)
    ? named.filter((key) => key !== 'fault')
    : named
}

const refused = (why: string) => v.custom<object>(() => false, why)

/** Members beside an action that are not actions. */
const besideAction = ['as', 'expect', 'title', 'wait', 'outcome']

/** The schema of a step: that of its one action. */
function schemaOfStep(value: unknown): v.GenericSchema {
  if (!isObject(value)) return refused('must be a step, such as sale: { amount: 10.00 USD }')
  const [action, other] = actionsIn(value)
  if (other !== undefined) return refused(`has two actions, ${action} and ${other}: make them two steps`)
  if (action !== undefined) return stepSchemas[action] as v.GenericSchema
  const first = Object.keys(value).find((key) => !besideAction.includes(key))
  if (first === undefined) return refused('has no action, such as sale: { amount: 10.00 USD }')
  const meant = plainWords.get(first) ?? ''
  const instead = actionNames.includes(meant) ? `did you mean ${meant}?` : suggestion(first, actionNames)
  return refused(`unknown action ${first}; ${instead}`)
}

const step = either(schemaOfStep, Object.values(stepSchemas))

const steps = (help: string) => v.pipe(v.array(step, 'must be a list of steps'), v.description(help))

const oneCase = v.record(v.string(), v.unknown(), 'must be a case: names and values')

/** A scenario file. */
export const scenarioFile = only({
  $schema: v.optional(text('Where editors find the schema')),
  name: v.optional(text('What reports call it; left out, the name of the file')),
  summary: v.optional(text('What it shows, in a sentence')),
  needs: described(
    v.picklist(['sandbox', 'any'], 'must be sandbox or any'),
    'sandbox, or any: it also runs against the real service. Left out: sandbox',
  ),
  sandbox: described(sandboxOptions, 'Options of the sandbox that is started for it'),
  server: v.optional(serverSection),
  cases: described(
    v.pipe(v.array(oneCase, 'must be a list of cases'), v.minLength(1, 'must have a case')),
    'It runs once for each; $case.name is a value of it',
  ),
  setup: v.optional(steps('Steps before; when one fails, the scenario fails')),
  steps: v.pipe(
    steps('What happens, in order'),
    v.check((all) => all.length > 0, 'must have a step'),
  ),
  teardown: v.optional(steps('Steps after, also when one failed')),
})

/** A file as written. */
export type ScenarioFile = v.InferOutput<typeof scenarioFile>
