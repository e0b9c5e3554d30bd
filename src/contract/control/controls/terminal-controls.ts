import * as v from 'valibot'
import { limits } from '../../headers.ts'
import { flag, milliseconds, name, oneOf, optional, ruledText, text, whole } from '../../member-kinds.ts'
import { type Control, controlLimits, get, ofPayment, patch, post, remove } from '../control.ts'
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

/** Left out: whichever transaction the terminal shows. */
const onlyTransaction = { transactionId: optional(name('Only if the terminal shows this transaction')) }

/** Operations on terminals, for a person at the screen or a script. Paths with `:sn` name a terminal. */
export const terminalControls = {
  terminals: get('/terminals', 'List the terminals', answers.terminalList),
  'add-terminal': post('/terminals', 'Set up one more terminal', answers.terminalView, {
    terminalSn: serialNumber,
    merchantId: optional(name('Its merchant; left out, the first of the application')),
    appId: optional(name('Application; left out, that of the merchant, of the API key, or the first one')),
    unpaired: optional(flag('True: it belongs to no merchant, and shows a pairing code')),
    ...terminalSettings,
  }),
  'unpair-terminal': post(
    '/terminals/:sn/unpair',
    'Take a terminal from its merchant; it shows a new pairing code',
    answers.terminalView,
  ),
  'pair-terminal': post(
    '/terminals/pair',
    'Pair a terminal with a merchant by the code that it shows',
    answers.terminalView,
    {
      code: name('The code; case, spaces and dashes do not matter'),
      merchantId: optional(name('Its merchant; left out, the first of the application')),
      appId: optional(name('Application; left out, that of the merchant, of the API key, or the first one')),
      label: terminalSettings.label,
    },
  ),
  'set-terminal': patch(
    '/terminals/:sn',
    'Change the settings of a terminal',
    answers.terminalView,
    terminalSettings,
  ),
  'remove-terminal': remove(
    '/terminals/:sn',
    'Remove a terminal that has no payment in its line and no open batch',
    answers.removedTerminal,
  ),
  'queue-outcome': post(
    '/terminals/:sn/queue',
    'Queue an outcome for the next transactions of a terminal; times 0 clears the queue',
    answers.terminalView,
    {
      outcome: name('Outcome by name'),
      times: optional(whole('For how many', 0, controlLimits.outcomeTimes)),
    },
  ),
  screen: get(
    '/terminals/:sn/screen',
    'Show what a terminal shows, and what can be done there',
    screenViewSchema,
  ),
  'terminal-events': get(
    '/terminals/:sn/events',
    'Stream the screens of a terminal as server-sent events',
    null,
  ),
  'present-card': ofPayment(
    post('/terminals/:sn/present', 'Present a card, as its cardholder would', actAnswer, {
      card: name('Test card by name'),
      entry: optional(v.picklist(cardEntries, 'must be tap, insert, swipe, key or scan')),
      outcome: optional(name('What the host answers, by name; left out, as usual')),
      ...onlyTransaction,
    }),
  ),
  'choose-tip': ofPayment(
    post('/terminals/:sn/tip', 'Choose a tip; 0 means no tip', actAnswer, {
      tipAmount: whole('Tip in minor units', 0, limits.amount),
      ...onlyTransaction,
    }),
  ),
  'enter-pin': ofPayment(
    post('/terminals/:sn/pin', 'Enter a PIN: only whether it was right is sent, never the PIN', actAnswer, {
      correct: optional(flag('Left out: it is right')),
      ...onlyTransaction,
    }),
  ),
  sign: ofPayment(post('/terminals/:sn/sign', 'Sign on the screen', actAnswer, onlyTransaction)),
  'cancel-at-terminal': ofPayment(
    post(
      '/terminals/:sn/cancel',
      'Press cancel; on the signature screen it leaves the signature out',
      actAnswer,
      onlyTransaction,
    ),
  ),
  receipt: get(
    '/transactions/:id/receipt',
    'Print the receipt of a transaction that was paid in person',
    receipt,
  ),
} as const satisfies Record<string, Control>
