/** Keys of the pages: the scripts obey this table, and the sheet of keys shows it. */

/** Where `g` and a letter lead: path and name. */
export const goTo: Readonly<Record<string, readonly [path: string, name: string]>> = {
  t: ['/', 'Transactions'],
  b: ['/batches', 'Batches'],
  w: ['/webhooks', 'Webhooks'],
  m: ['/terminals', 'Terminals'],
  r: ['/requests', 'Requests'],
  d: ['/docs', 'Docs'],
  f: ['/faults', 'Faults'],
  s: ['/snapshots', 'Snapshots'],
}

/** Keys of the most used actions on a payment, with the last part of their path. */
export const actionKeys: Readonly<Record<string, string>> = { r: 'refund', c: 'capture', v: 'void' }

/** Keys by the pages on which they mean something. */
interface KeyGroup {
  readonly title: string
  /** Between two keys: `/` one or the other, `+` both at once, `then` in that order, `–` all between. */
  readonly keys: readonly (readonly [keys: string, does: string])[]
}

/** Every key, in the order of the sheet. */
export const keyGroups: readonly KeyGroup[] = [
  {
    title: 'A list',
    keys: [
      ['/', 'Search'],
      ['j / k', 'Next row, previous row'],
      ['Enter', 'Open the row beside the list'],
      ['Esc', 'Close what is beside the list'],
      ['l / h', 'Next page, previous page'],
    ],
  },
  {
    title: 'A payment, or its row',
    keys: [
      ['r', 'Refund'],
      ['c', 'Capture'],
      ['v', 'Void'],
      ['q', 'Its requests'],
    ],
  },
  {
    title: 'A webhook, or its row',
    keys: [
      ['r', 'Resend'],
      ['Ctrl + Enter', 'Send it as edited'],
    ],
  },
  { title: 'Batches', keys: [['c', 'Close all batches']] },
  {
    title: 'A terminal',
    keys: [
      ['0 – 9', 'Type the amount, the tip or the PIN'],
      ['Enter', 'Confirm'],
      ['Esc', 'Cancel'],
      ['Backspace', 'Clear the last digit'],
      ['↑ / ↓', 'Choose a card'],
    ],
  },
  {
    title: 'Everywhere',
    keys: [
      ['Ctrl + K', 'Search pages, records and actions'],
      ['n', 'New payment'],
      ['?', 'This sheet'],
      ['Esc', 'Close what is open'],
    ],
  },
  { title: 'Go to', keys: Object.entries(goTo).map(([key, [, name]]) => [`g then ${key}`, name]) },
  {
    title: 'In the palette',
    keys: [
      ['↑ / ↓', 'Choose'],
      ['Enter', 'Do it'],
      ['Esc', 'Close'],
    ],
  },
]
