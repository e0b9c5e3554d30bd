import type { Story } from '../control/control-answers.ts'

/** Why a transaction is where it is, for people and agents. */

const closings: Readonly<Record<string, string>> = {
  abort: 'aborted by the merchant',
  cancel: 'cancelled on the device',
  expiry: 'not paid in time',
  expired: 'its checkout session was expired by the merchant',
}

/** Why a transaction was closed; undefined for any other. */
export function closedBecause({ timeline, record }: Story): string | undefined {
  const reason = timeline.find(({ what }) => what === 'closed')?.detail ?? ''
  return reason === 'cancel' && record.terminalSn === null ? 'given up on the hosted page' : closings[reason]
}

/** What decided an outcome, by its rule. assumption: outcome-order */
export const deciders: Readonly<Record<string, string>> = {
  header: 'which its request asked for (X-Sandbox-Outcome)',
  fault: 'which an injected fault asked for',
  queue: 'which was queued at its terminal',
  person: 'which the person at the terminal chose',
  terminal: 'which its terminal is set to',
  amount: 'which its amount triggers',
  card: 'by its card',
  default: 'as no rule applied',
  settled: 'because its original is settled',
}

/** A sentence that says why a transaction has its status. */
export function whyStatus(story: Story): string {
  const { status, waitsFor, record, outcome, rule } = story
  if (waitsFor !== null) return `It waits for ${waitsFor}.`
  if (status === 'CLOSED') return `Closed without a payment: ${closedBecause(story) ?? 'see its timeline'}.`
  const answer = [record.transactionResultCode, record.transactionResultMsg].filter(Boolean).join(' ')
  const decided =
    outcome === null || rule === null ? '' : ` The outcome is ${outcome}, ${deciders[rule] ?? rule}.`
  if (status === 'FAIL') return `The host declined it: ${answer}.${decided}`
  const end = story.expired ? ` It expired uncaptured at ${story.capturableUntil}.` : ''
  if (status === 'SUCCESS') return `It was approved: ${answer}.${decided}${end}`
  return 'It is being processed.'
}
