import { asText } from '../../../client/tolerant.ts'
import type { Members } from '../../../contract/validate.ts'
import { isObject } from '../../../shared/is-object.ts'
import { parseDuration } from '../../../shared/text/duration.ts'
import { sleep } from '../../../shared/timers.ts'
import { testWebhooks } from '../../helpers/test-webhooks.ts'
import { foundWithin } from '../../helpers/wait-for.ts'
import { type Difference, differences, isStatus } from '../file/match.ts'
import type { Step } from '../file/read-scenario.ts'
import { failOn } from './call-result.ts'
import { requireCall } from './control-step.ts'
import type { Inbox, ReceivedWebhook } from './receiver.ts'
import { capture, type RunContext, StepFailure, stepMembers } from './run-context.ts'

/** Sets the answers of the scenario's receiver. */
export function runReceiver(run: RunContext, step: Step): void {
  const { status = 200, times } = stepMembers(run, step)
  requireInbox(run).answerWith(Number(status), times === undefined ? undefined : Number(times))
}

function requireInbox({ inbox }: RunContext): Inbox {
  if (inbox === undefined) throw new StepFailure('No receiver runs here')
  return inbox
}

/** Checks the received webhooks: which, how many, in which order, their signatures and content. */
export async function runWebhook(run: RunContext, step: Step): Promise<void> {
  const inbox = requireInbox(run)
  const wanted = stepMembers(run, step)
  const waitMs = spanIn(wanted.within) ?? run.waitMs
  run.subject = asText(wanted.of) ?? run.subject
  const matchingPosts = () => inbox.posts.filter((post) => matchesStep(post, wanted))
  const named = paymentNames(run)
  const wrong = () => countsOff(matchingPosts(), wanted, named)
  if (!(await foundWithin(waitMs, async () => wrong().length === 0 || undefined)))
    throw missing(
      wrong(),
      inbox.posts.map((post) => postLine(post, named)),
      waitMs,
    )
  await nothingElse(matchingPosts, wanted, named)
  const arrived = matchingPosts()
  failOn([...wrong(), ...(await contentOff(run, arrived, wanted))])
  const last = arrived.at(-1)
  capture(run, step, {
    count: arrived.length,
    ...(last && { id: last.id, body: last.body, headers: last.headers }),
  })
}

/** A transaction's name for people: its capture, such as `$sale`, or its id. */
type PaymentNames = (transactionId: string | undefined) => string

function paymentNames({ captured }: RunContext): PaymentNames {
  const names = new Map<string, string>()
  for (const [name, value] of captured) {
    const id = isObject(value) ? asText(value.transactionId) : undefined
    if (id !== undefined) names.set(id, `$${name}`)
  }
  return (id = 'no transaction') => names.get(id) ?? id
}

const spanIn = (value: unknown): number | undefined =>
  value === undefined ? undefined : parseDuration(String(value))

function matchesStep(post: ReceivedWebhook, { of, status, event = 'payment' }: Members): boolean {
  const kind = post.event === undefined ? 'payment' : 'terminal'
  if (of !== undefined && post.transactionId !== String(of)) return false
  if (status !== undefined && !isStatus(String(status), post.status)) return false
  return event === kind || event === post.event
}

/** The number of webhooks, and their order, if they differ from the expectation. */
function countsOff(
  posts: readonly ReceivedWebhook[],
  { count, distinct, order }: Members,
  named: PaymentNames,
): Difference[] {
  const counts = differences(count ?? { gte: 1 }, posts.length).map((each) => ({
    ...each,
    path: count === undefined ? ['webhook'] : ['webhook', 'count', ...each.path],
    actual: `${each.actual} arrived`,
  }))
  const ids = new Set(posts.map(({ id }) => id)).size
  const notifications = distinct === undefined ? [] : under('distinct', differences(distinct, ids))
  return [...counts, ...notifications, ...(Array.isArray(order) ? orderOff(posts, order, named) : [])]
}

const under = (member: string, found: readonly Difference[]): Difference[] =>
  found.map((each) => ({ ...each, path: ['webhook', member, ...each.path] }))

function orderOff(posts: readonly ReceivedWebhook[], order: readonly unknown[], named: PaymentNames) {
  const fits =
    posts.length === order.length && posts.every((post, index) => isNamed(post, String(order[index])))
  if (fits) return []
  const actual = posts.map(({ transactionId, status, event }) =>
    order.some((each) => String(each) === transactionId) ? named(transactionId) : (event ?? status),
  )
  return [
    {
      path: ['webhook', 'order'],
      expected: order.map((each) => named(String(each))).join(', '),
      actual: actual.join(', ') || 'none',
    },
  ]
}

const isNamed = (post: ReceivedWebhook, name: string): boolean =>
  name === post.transactionId ||
  name === post.event ||
  (post.event === undefined && isStatus(name, post.status))

async function contentOff(run: RunContext, posts: readonly ReceivedWebhook[], { signature, body }: Members) {
  const off: Difference[] = []
  for (const post of posts) {
    if (body !== undefined) off.push(...under('body', differences(body, post.body)))
    if (signature === undefined) continue
    const { valid, why } = await testWebhooks(requireCall(run)).verify(post.headers, post.text)
    if (valid !== (signature === 'valid'))
      off.push({
        path: ['webhook', 'signature'],
        expected: String(signature),
        actual: valid ? 'valid' : `invalid: ${why}`,
      })
  }
  return off
}

async function nothingElse(
  matchingPosts: () => readonly ReceivedWebhook[],
  wanted: Members,
  named: PaymentNames,
): Promise<void> {
  const quiet = spanIn(wanted.nothingElseWithin)
  if (quiet === undefined) return
  const before = matchingPosts().length
  await sleep(quiet)
  const after = matchingPosts()
  if (after.length === before) return
  const more = after
    .slice(before)
    .map((post) => postLine(post, named))
    .join('; ')
  throw new StepFailure(`${after.length - before} further webhooks arrived`, [
    {
      path: ['webhook', 'nothingElseWithin'],
      expected: `nothing within ${wanted.nothingElseWithin}`,
      actual: more,
    },
  ])
}

function missing(off: readonly Difference[], arrived: readonly string[], waitMs: number): StepFailure {
  const there = arrived.length === 0 ? 'Nothing arrived at all' : `Arrived: ${arrived.join('; ')}`
  return new StepFailure(`Waited ${waitMs / 1000} s in vain. ${there}`, off)
}

const postLine = ({ transactionId, status, event }: ReceivedWebhook, named: PaymentNames): string =>
  `${event ?? 'payment'} of ${named(transactionId)}, status ${status}`
