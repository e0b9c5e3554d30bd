/** What people call commands that have another name here, by the command that they mean. */
const words: Readonly<Record<string, readonly string[]>> = {
  'sandbox start': ['start', 'serve', 'server', 'run', 'up', 'sandbox run', 'sandbox up', 'sandbox serve'],
  'sandbox stop': ['stop', 'down', 'kill', 'quit', 'sandbox down', 'sandbox kill', 'sandbox end'],
  'sandbox restart': ['restart', 'reload', 'sandbox reload'],
  'sandbox status': ['status', 'info', 'state', 'ps', 'sandbox info', 'sandbox state', 'sandbox show'],
  'sandbox wait': ['wait', 'ready', 'sandbox ready'],
  'sandbox open': ['open', 'dashboard', 'ui', 'browser', 'sandbox dashboard', 'sandbox ui'],
  'sandbox reset': ['reset', 'clear', 'wipe', 'sandbox clear', 'sandbox wipe', 'sandbox clean'],
  'sandbox clock': ['clock', 'time', 'sandbox time', 'sandbox advance'],
  'sandbox fault': ['fault', 'faults', 'sandbox faults'],
  exec: ['sandbox exec'],
  test: ['tests', 'scenarios', 'scenario run', 'scenario test'],
  'scenario record': ['record', 'scenario save', 'scenario create'],
  sale: ['charge', 'pay', 'payment', 'purchase', 'payment create'],
  auth: ['authorize', 'authorise', 'authorization', 'preauth', 'pre-auth'],
  'post-auth': ['capture', 'complete', 'postauth'],
  'incremental-auth': ['increment', 'incremental'],
  'tip-adjust': ['tip', 'adjust'],
  void: ['reverse', 'reversal', 'undo'],
  abort: ['cancel'],
  query: ['get', 'lookup', 'find'],
  'batch list': ['batches', 'batch show'],
  'batch close': ['settle', 'settlement', 'batch settle'],
  'terminal list': ['terminals', 'devices', 'terminal ls'],
  'terminal present': ['tap', 'insert', 'swipe', 'terminal tap', 'terminal insert', 'terminal swipe'],
  'checkout create': ['checkout open', 'checkout start', 'session', 'session create'],
  listen: ['webhook listen', 'webhooks listen', 'webhook forward', 'forward'],
  'webhook list': ['webhooks', 'deliveries', 'webhook deliveries'],
  'webhook resend': ['resend', 'redeliver', 'webhook retry', 'webhook redeliver'],
  'webhook secret': ['secret'],
  'logs tail': ['requests', 'tail', 'logs follow', 'logs list', 'sandbox logs', 'sandbox log'],
  'token create': ['token add', 'token new', 'token make'],
  'token list': ['tokens', 'token', 'token ls'],
  'token revoke': ['token remove', 'token delete', 'token rm'],
  'merchant list': ['merchants', 'merchant ls'],
  'merchant add': ['merchant create', 'merchant new'],
  'sandbox key list': ['keys', 'key', 'sandbox keys', 'key list'],
  'sandbox key rotate': ['key rotate', 'sandbox key regenerate'],
  'sandbox key allow-ip': ['allow-ip', 'allow-list', 'sandbox allow-ip'],
}

/** Plain words, and the command that each means. */
export const plainWords: ReadonlyMap<string, string> = new Map(
  Object.entries(words).flatMap(([command, all]) => all.map((word) => [word, command] as const)),
)

/** Commands that delete or end something: whoever mistypes another one is never led to them. */
export const destructive: ReadonlySet<string> = new Set([
  'sandbox reset',
  'sandbox repair',
  'sandbox stop',
  'sandbox restart',
  'token revoke',
])

/** Words that say the opposite of each other, and look alike. */
export const opposites: readonly (readonly [string, string])[] = [
  ['start', 'stop'],
  ['start', 'restart'],
  ['open', 'close'],
  ['online', 'offline'],
  ['add', 'remove'],
  ['create', 'expire'],
  ['create', 'revoke'],
  ['approve', 'decline'],
  ['save', 'restore'],
]
