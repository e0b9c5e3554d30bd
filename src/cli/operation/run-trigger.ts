import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { call, control } from '../../client/client.ts'
import { textOf } from '../../client/tolerant.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import { beginsOrder, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import type { AnsweredControl } from '../../contract/sandbox/controls/controls.ts'
import { isFinal, type Status, statusOf } from '../../contract/statuses.ts'
import { packageRoot } from '../../package-root.ts'
import type { Profile } from '../connection/profile.ts'
import { StatusNotReached } from '../errors/status-not-reached.ts'
import { requireNamed } from '../errors/usage-error.ts'
import { waitingFacts } from './waiting.ts'

/** Members of a step; `${name:member}` stands for a member of an earlier answer. */
type Members = Readonly<Record<string, unknown>>

/** A step of a trigger: an operation, a control operation, or waiting for a status. */
type TriggerStep =
  | {
      readonly as: string
      readonly call: OperationName
      readonly members: Members
      readonly outcome?: string
    }
  | {
      readonly control: AnsweredControl
      readonly names?: Readonly<Record<string, string>>
      readonly members?: Members
    }
  | { readonly wait: string; readonly until: Status }

/** A file of fixtures/triggers: a small program of API steps. */
export interface Trigger {
  readonly name: string
  readonly summary: string
  readonly steps: readonly TriggerStep[]
}

const folder = join(packageRoot, 'fixtures/triggers')

/** Every trigger, by name. Adding a file adds one. */
export const triggers = (): Trigger[] =>
  readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .sort()
    .map((file) => ({
      name: file.slice(0, -'.json'.length),
      ...(JSON.parse(readFileSync(join(folder, file), 'utf8')) as Omit<Trigger, 'name'>),
    }))

/** The trigger of that name. Errors: UsageError. */
export const triggerNamed = (name: string): Trigger => requireNamed('trigger', name, triggers(), 'name')

/** What a step did, for the person who watches. */
export interface StepResult {
  readonly step: string
  readonly answer: object
}

/** Runs the steps in order, with real requests. Errors: what a request may meet; StatusNotReached. */
export async function* runTrigger(
  { steps }: Trigger,
  { target, parties, isSandbox }: Profile,
): AsyncGenerator<StepResult> {
  const answers = new Map<string, Members>()
  for (const step of steps) {
    if ('wait' in step) {
      const transactionId = String(filled(step.wait, answers))
      const answer = await reached(target, { ...parties, transactionId }, step.until, isSandbox)
      yield { step: step.until, answer }
    } else if ('call' in step) {
      const members = { ...parties, ...defaultsFor(step.call), ...(filled(step.members, answers) as Members) }
      const headers = step.outcome === undefined ? {} : { [sandboxHeaders.outcome]: step.outcome }
      const answer = await call<Members>(target, step.call, members, { headers })
      answers.set(step.as, answer)
      yield { step: operations[step.call].command, answer }
    } else {
      const names = filled(step.names ?? {}, answers) as Record<string, string>
      const members = filled(step.members ?? {}, answers) as Members
      yield { step: step.control, answer: await control(target, step.control, members, { names }) }
    }
  }
}

/** What an operation needs, and no trigger says: new ids, and a description. */
const defaultsFor = (name: OperationName): Members => ({
  ...(needs(name, 'transactionRequestId') && { transactionRequestId: randomUUID() }),
  ...(beginsOrder(name) && { referenceOrderId: `TBX-${randomUUID().slice(0, 18)}` }),
  ...('description' in operations[name].input.entries && {
    description: `${operations[name].command} by trigger`,
  }),
})

/** References replaced by what they stand for. */
export function filled(value: unknown, answers: ReadonlyMap<string, Members>): unknown {
  if (typeof value === 'string')
    return value.replace(
      /\$\{([\w-]+):(\w+)\}/g,
      (_, name: string, member: string) => textOf(answers.get(name)?.[member]) ?? '',
    )
  if (Array.isArray(value)) return value.map((each) => filled(each, answers))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, filled(each, answers)]))
}

/** How long a status is waited for, in milliseconds. */
const timeout = 10_000

async function reached(
  target: Profile['target'],
  query: Readonly<Record<string, string>>,
  until: Status,
  isSandbox: boolean,
): Promise<object> {
  const end = performance.now() + timeout
  for (;;) {
    const record = await call<TransactionRecord>(target, 'query', query)
    const status = statusOf(record.transactionStatus)
    if (status === until) return record
    const final = status !== undefined && isFinal(status)
    if (final || performance.now() > end) {
      const { transactionId, transactionStatus } = record
      const waits = isSandbox && !final ? await waitingFacts(target, transactionId, '') : undefined
      throw new StatusNotReached(transactionId, status ?? transactionStatus, until, final, waits)
    }
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}
