import * as v from 'valibot'
import type { ScreenAction } from './screens.ts'

/** An operation of the control interface, under `/_sandbox/`, and where else people and programs meet it. */
export interface Control extends Faces {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  /** What it does: the words of the documents, its command, its step and its tool. */
  readonly summary: string
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
  /** Shape of its answer; null for a stream. */
  readonly answer: v.GenericSchema | null
}

/** What a row says beside its request and answer. Each face of an operation is made from its row. */
interface Faces {
  /** The body is a file of any length; the members are in the query. */
  readonly body?: 'file'
  /** It changes nothing, though its method says so. */
  readonly changes?: 'nothing'
  /** The command that prints its answer. */
  readonly command?: string
  /** What a person at a terminal does with it: an act of screens, of forms, and of `act_at_terminal`. */
  readonly act?: ScreenAction
  /** It is a step of scenarios, named as its command: the member that a single value stands for, or none. */
  readonly step?: string | null
  /** Other steps that perform it, by their names. */
  readonly steps?: {
    readonly [name: string]: {
      readonly summary: string
      /** The member that a single value stands for. */
      readonly short?: string
      /** Members that its name says already. */
      readonly says?: Readonly<Record<string, unknown>>
    }
  }
  /** A tool of agents that performs this operation alone. */
  readonly tool?: {
    readonly name: string
    /** What an agent should know beside the summary. */
    readonly note?: string
    /** Members of the request that it takes; left out, all. */
    readonly takes?: readonly string[]
    /** Those that it cannot do without, where the operation can. */
    readonly needs?: readonly string[]
    /** Members of the request that it always sends. */
    readonly says?: Readonly<Record<string, unknown>>
    /** What an agent is shown of the answer; left out, all. */
    readonly shows?: Shown
    /** It deletes something, which the caller is asked about. */
    readonly destroys?: true
  }
}

/** Members of an answer by name; for one that has members, or a list of such, those that are shown. */
export type Shown = readonly (string | { readonly [member: string]: Shown })[]

/** What the name in a path is, by the collection that it stands in: a member of steps and tools. */
export const pathMembers = {
  terminals: { member: 'terminalSn', help: 'Serial number of the terminal' },
  sessions: { member: 'sessionId', help: 'Id of the session' },
  transactions: { member: 'transactionId', help: 'Id of the transaction' },
  requests: { member: 'traceId', help: 'Id of the request, its traceId' },
  webhooks: { member: 'id', help: 'Id of the notification' },
  snapshots: { member: 'name', help: 'Name: letters, digits, . _ -' },
} as const

/** The parameter in a path, and what it names; undefined for a path without one, or of another collection. */
export function namedInPath(path: string) {
  const [, collection = '', parameter = ''] = /^\/_sandbox\/(\w+)\/:(\w+)/.exec(path) ?? []
  const found = Object.entries(pathMembers).find(([name]) => name === collection)?.[1]
  return found && { parameter, collection: collection as keyof typeof pathMembers, ...found }
}

/** True for an operation that changes what the sandbox has: its payments, its terminals, or itself. */
export const changesSandbox = ({ method, changes }: Pick<Control, 'method' | 'changes'>): boolean =>
  method !== 'GET' && changes !== 'nothing'

const row =
  <const M extends Control['method']>(method: M) =>
  <A extends Control['answer'], E extends v.ObjectEntries = Record<never, never>>(
    path: string,
    { input = {} as E, ...words }: Words<A, E>,
  ) => ({ method, path: `/_sandbox${path}`, input: v.object(input), ...words })

interface Words<A, E> extends Faces {
  readonly summary: string
  readonly answer: A
  /** Members of the request; left out, none. */
  readonly input?: E
}

/** Make rows of the control table, by their paths below `/_sandbox`. */
export const [get, post, put, patch] = [row('GET'), row('POST'), row('PUT'), row('PATCH')]
export const remove = row('DELETE')

/** Limits of the control interface. Times in milliseconds. */
export const controlLimits = {
  /** Longest time that an automatic terminal shows a screen. */
  pace: 10 * 60_000,
  /** Payments that one request queues an outcome for. */
  outcomeTimes: 10_000,
  /** Times that a fault hits. */
  faultTimes: 1_000_000,
  /** Longest wait for webhooks in one request. */
  webhookWait: 10 * 60_000,
  /** Most retries of a delivery. */
  retries: 100,
  /** Longest pause between attempts, and longest validity of an authorisation. */
  retryPause: 366 * 24 * 3_600_000,
  /** Acknowledged deliveries that a request waits for. */
  waitCount: 1_000_000,
  /** Notifications, or transactions, that a request names. */
  ids: 10_000,
  /** Deliveries in one answer. */
  deliveries: 99_999,
  /** Requests that a sandbox keeps. assumption: request-log */
  requests: 1_000,
} as const
