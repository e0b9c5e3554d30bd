import * as v from 'valibot'
import { limits } from '../headers.ts'
import { flag, name, optional, whole } from '../member-kinds.ts'
import * as answers from './answers.ts'
import type { Control } from './control.ts'
import { receipt } from './receipts.ts'
import { actAnswer, cardEntries, screenView } from './screens.ts'

/** What a terminal can be set to. */
const settings = {
  mode: optional(v.picklist(['auto', 'attended'], 'must be auto or attended')),
  online: optional(flag('Reachable or not')),
  busy: optional(v.picklist(['queue', 'reject'], 'must be queue or reject')),
  pace: optional(whole('Milliseconds a screen', 0, 600_000)),
  tipPercent: optional(whole('Tip that the cardholder chooses', 0, 100)),
  contactlessLimit: optional(whole('Minor units up to which a tap is taken', 0, limits.amount)),
  card: optional(name('Card that is presented, by name')),
  outcome: optional(name('Outcome of every transaction, by name')),
}

/** Left out: whatever the terminal shows. */
const meant = { transactionId: optional(name('Only if the terminal shows this transaction')) }

/** What can be done with terminals, by a person at the screen or by a script. Paths with `:sn` name a terminal. */
export const terminalControls = {
  terminals: {
    method: 'GET',
    path: '/_sandbox/terminals',
    summary: 'List the terminals',
    input: v.object({}),
    answer: answers.terminalList,
  },
  'add-terminal': {
    method: 'POST',
    path: '/_sandbox/terminals',
    summary: 'Set up one more terminal of the first merchant',
    input: v.object({
      terminalSn: v.pipe(
        v.string('must be a string'),
        v.regex(
          /^(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,32}$/,
          'must be 1 to 32 letters, digits, dots, dashes or underscores, not dots alone',
        ),
        v.description('Serial number'),
      ),
      ...settings,
    }),
    answer: answers.terminalView,
  },
  'set-terminal': {
    method: 'PATCH',
    path: '/_sandbox/terminals/:sn',
    summary: 'Set a terminal otherwise',
    input: v.object(settings),
    answer: answers.terminalView,
  },
  'queue-outcome': {
    method: 'POST',
    path: '/_sandbox/terminals/:sn/queue',
    summary: 'Queue an outcome for the next transactions of a terminal; times 0 clears the queue',
    input: v.object({ outcome: name('Outcome by name'), times: optional(whole('For how many', 0, 10_000)) }),
    answer: answers.terminalView,
  },
  screen: {
    method: 'GET',
    path: '/_sandbox/terminals/:sn/screen',
    summary: 'Show what a terminal shows, and what can be done there',
    input: v.object({}),
    answer: screenView,
  },
  'terminal-events': {
    method: 'GET',
    path: '/_sandbox/terminals/:sn/events',
    summary: 'Stream the screens of a terminal as server-sent events',
    input: v.object({}),
    answer: null,
  },
  'present-card': {
    method: 'POST',
    path: '/_sandbox/terminals/:sn/present',
    summary: 'Present a card, as its cardholder would',
    input: v.object({
      card: name('Test card by name'),
      entry: optional(v.picklist(cardEntries, 'must be tap, insert, swipe, key or scan')),
      outcome: optional(name('What the host answers, by name; left out, as usual')),
      ...meant,
    }),
    answer: actAnswer,
  },
  'choose-tip': {
    method: 'POST',
    path: '/_sandbox/terminals/:sn/tip',
    summary: 'Choose a tip; 0 is none',
    input: v.object({ tipAmount: whole('Tip in minor units', 0, limits.amount), ...meant }),
    answer: actAnswer,
  },
  'enter-pin': {
    method: 'POST',
    path: '/_sandbox/terminals/:sn/pin',
    summary: 'Enter a PIN: only whether it was right is sent, never the PIN',
    input: v.object({ correct: optional(flag('Left out: it is right')), ...meant }),
    answer: actAnswer,
  },
  sign: {
    method: 'POST',
    path: '/_sandbox/terminals/:sn/sign',
    summary: 'Sign on the screen',
    input: v.object(meant),
    answer: actAnswer,
  },
  'cancel-at-terminal': {
    method: 'POST',
    path: '/_sandbox/terminals/:sn/cancel',
    summary: 'Press cancel; on the signature screen it leaves the signature out',
    input: v.object(meant),
    answer: actAnswer,
  },
  receipt: {
    method: 'GET',
    path: '/_sandbox/transactions/:id/receipt',
    summary: 'Print the receipt of a transaction that was paid in person',
    input: v.object({}),
    answer: receipt,
  },
} as const satisfies Record<string, Control>
