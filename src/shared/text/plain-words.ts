/** Commands by what people call them who do not know their names here. */
const words: Readonly<Record<string, string>> = {
  'sandbox start': 'start, serve, run, up',
  'sandbox stop': 'stop, down',
  'sandbox restart': 'restart',
  'sandbox status': 'status, info, ps',
  'sandbox open': 'open, dashboard, ui',
  'sandbox reset': 'reset, clear',
  'sandbox clock': 'clock, time',
  'sandbox fault': 'fault, faults, webhook fault',
  'terminal set': 'terminal rename',
  sale: 'charge, pay, payment, purchase',
  auth: 'authorize, authorise, preauth',
  'post-auth': 'capture',
  void: 'reverse, undo',
  abort: 'cancel',
  query: 'show, get, find, lookup',
  list: 'payments, transactions, orders',
  'batch list': 'batches',
  'batch close': 'settle',
  'terminal list': 'terminals, devices',
  'terminal present': 'tap, insert, swipe',
  'checkout create': 'session, checkout open',
  listen: 'webhook listen, forward',
  'webhook list': 'webhooks, deliveries, events',
  'webhook hold': 'webhook pause',
  'webhook resend': 'resend, redeliver, webhook retry',
  'logs tail': 'requests, tail, logs list',
  'profile set': 'login',
  whoami: 'config',
  'token list': 'tokens',
  'sandbox key list': 'keys',
}

/** Plain words, and the command that each means. */
export const plainWords: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([command, all]) => all.split(', ').map((word) => [word, command] as const)),
)
