import * as v from 'valibot'
import { limits } from '../../headers.ts'
import { flag, milliseconds, name, oneOf, optional, ruledText, text, whole } from '../../member-kinds.ts'
import { type Control, controlLimits, get, patch, post, remove } from '../control.ts'
import * as answers from '../control-answers.ts'
import { actAnswer, cardEntries, receipt, screenViewSchema } from '../screens.ts'

/** Serial number of a terminal. */
export const serialNumber = ruledText(
  'Serial number',
  v.regex(
    /^(?=.*[A-Za-z0-9])[A-Za-z0-9._-]{1,32}$/,
    'must be 1 to 32 letters, digits, dots, dashes or underscores, not dots alone',
  ),
)

/** Settings of a terminal. */
export const terminalSettings = {
  label: optional(text('Name that people read; the serial number stays', 40)),
  mode: optional(oneOf('Acts by itself, or waits for a person', ['auto', 'attended'])),
  online: optional(flag('Reachable or not')),
  busy: optional(oneOf('What happens to a payment while another one runs', ['queue', 'reject'])),
  pace: optional(milliseconds('Milliseconds a screen', 0, controlLimits.pace)),
  tipPercent: optional(whole('Tip that the cardholder chooses', 0, 100)),
  contactlessLimit: optional(whole('Minor units up to which a tap is taken', 0, limits.amount)),
  card: optional(name('Card that is presented, by name')),
  outcome: optional(name('Outcome of every transaction, by name')),
}

/** What an agent sees of a screen. */
export const shownScreen = [
  ...['terminalSn', 'mode', 'online', 'screen', 'waiting', 'queue', 'acts'],
  { transaction: ['transactionId', 'type', 'status', 'transactionAmount', 'currency'] },
]

/** Left out: whichever transaction the terminal shows. */
const onlyTransaction = { transactionId: optional(name('Only if the terminal shows this transaction')) }

/** Operations on terminals, for a person at the screen or a script. Paths with `:sn` name a terminal. */
export const terminalControls = {
  terminals: get('/terminals', {
    summary: 'List the terminals with their screens and waiting payments',
    command: 'terminal list',
    answer: answers.terminalList,
  }),
  'add-terminal': post('/terminals', {
    summary: 'Add a terminal to a merchant',
    command: 'terminal add',
    answer: answers.terminalView,
    input: {
      terminalSn: serialNumber,
      merchantId: optional(name('Its merchant; left out, the first of the application')),
      appId: optional(name('Application; left out, that of the merchant, of the API key, or the first one')),
      unpaired: optional(flag('True: it belongs to no merchant, and shows a pairing code')),
      ...terminalSettings,
    },
  }),
  'unpair-terminal': post('/terminals/:sn/unpair', {
    summary: 'Unpair a terminal; it then shows a new pairing code',
    command: 'terminal unpair',
    answer: answers.terminalView,
  }),
  'pair-terminal': post('/terminals/pair', {
    summary: 'Pair a terminal with a merchant by the code that it shows',
    command: 'terminal pair',
    answer: answers.terminalView,
    input: {
      code: name('The code; case, spaces and dashes do not matter'),
      merchantId: optional(name('Its merchant; left out, the first of the application')),
      appId: optional(name('Application; left out, that of the merchant, of the API key, or the first one')),
      label: terminalSettings.label,
    },
  }),
  'set-terminal': patch('/terminals/:sn', {
    summary: 'Change the settings of a terminal',
    command: 'terminal set',
    step: null,
    steps: {
      'terminal offline': {
        summary: 'Take a terminal offline: its payments wait until expiry',
        short: 'terminal',
        says: { online: false },
      },
      'terminal online': {
        summary: 'Bring a terminal online: waiting payments continue',
        short: 'terminal',
        says: { online: true },
      },
    },
    answer: answers.terminalView,
    input: terminalSettings,
  }),
  'remove-terminal': remove('/terminals/:sn', {
    summary: 'Remove a terminal with no open payment and no open batch',
    command: 'terminal remove',
    answer: answers.removedTerminal,
  }),
  'queue-outcome': post('/terminals/:sn/queue', {
    summary: 'Queue an outcome for the next payments of a terminal',
    command: 'terminal queue',
    step: 'outcome',
    tool: { name: 'set_outcome', shows: ['terminalSn', 'queue'] },
    answer: answers.terminalView,
    input: {
      outcome: name('Outcome by name'),
      times: optional(whole('For how many; 0 clears the queue', 0, controlLimits.outcomeTimes)),
    },
  }),
  screen: get('/terminals/:sn/screen', {
    summary: 'Show a terminal’s screen and the actions that it accepts',
    command: 'terminal show',
    step: 'terminal',
    tool: { name: 'get_terminal', note: 'With the payment on it.', shows: shownScreen },
    answer: screenViewSchema,
  }),
  'terminal-events': get('/terminals/:sn/events', {
    summary: 'Stream the screens of a terminal as server-sent events',
    answer: null,
  }),
  'present-card': post('/terminals/:sn/present', {
    summary: 'Present a test card to a terminal',
    command: 'terminal present',
    act: 'present',
    step: 'card',
    answer: actAnswer,
    input: {
      card: name('Test card by name'),
      entry: optional(v.picklist(cardEntries, 'must be tap, insert, swipe, key or scan')),
      outcome: optional(name('What the host answers, by name; left out, as usual')),
      ...onlyTransaction,
    },
  }),
  'choose-tip': post('/terminals/:sn/tip', {
    summary: 'Choose a tip at a terminal, or none',
    command: 'terminal tip',
    act: 'tip',
    step: 'tipAmount',
    answer: actAnswer,
    input: { tipAmount: whole('Tip in minor units; 0 means no tip', 0, limits.amount), ...onlyTransaction },
  }),
  'enter-pin': post('/terminals/:sn/pin', {
    summary: 'Enter a right or wrong PIN at a terminal',
    command: 'terminal pin',
    act: 'pin',
    step: null,
    answer: actAnswer,
    input: {
      correct: optional(flag('Only this is sent, never the PIN; left out: it is right')),
      ...onlyTransaction,
    },
  }),
  sign: post('/terminals/:sn/sign', {
    summary: 'Sign on the screen of a terminal',
    command: 'terminal sign',
    act: 'sign',
    step: null,
    answer: actAnswer,
    input: onlyTransaction,
  }),
  'cancel-at-terminal': post('/terminals/:sn/cancel', {
    summary: 'Press cancel at a terminal, or skip the signature',
    command: 'terminal cancel',
    act: 'cancel',
    step: null,
    answer: actAnswer,
    input: onlyTransaction,
  }),
  receipt: get('/transactions/:id/receipt', {
    summary: 'Print the receipt of a transaction that was paid in person',
    answer: receipt,
  }),
} as const satisfies Record<string, Control>
