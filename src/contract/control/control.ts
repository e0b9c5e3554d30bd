import * as v from 'valibot'

/** An operation of the sandbox's own control interface, under `/_sandbox/`. */
export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
  /** Shape of its answer; null for a stream. */
  readonly answer: v.GenericSchema | null
  /** The body is a file of any length; the members are in the query. */
  readonly body?: 'file'
  /** What it changes where that is less than its method says: a payment, as its cardholder does, or nothing. */
  readonly changes?: 'payment' | 'nothing'
}

/** True for an operation that changes the sandbox itself, as a reset does. */
export const changesSandbox = ({ method, changes }: Pick<Control, 'method' | 'changes'>): boolean =>
  method !== 'GET' && changes === undefined

const row =
  <const M extends Control['method']>(method: M) =>
  <A extends Control['answer'], E extends v.ObjectEntries = Record<never, never>>(
    path: string,
    summary: string,
    answer: A,
    members: E = {} as E,
  ) => ({ method, path: `/_sandbox${path}`, summary, input: v.object(members), answer })

/** Make rows of the control table: path below `/_sandbox`, summary, shape of the answer, members of the request. */
export const [get, post, put, patch] = [row('GET'), row('POST'), row('PUT'), row('PATCH')]
export const remove = row('DELETE')

/** Makes a row of what a cardholder or shopper does, or of what changes nothing. */
const changing =
  <const C extends Control['changes']>(changes: C) =>
  <R extends object>(control: R) => ({ ...control, changes })
export const [ofPayment, ofNothing] = [changing('payment'), changing('nothing')]

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
