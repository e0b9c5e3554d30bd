import { boolean, integer, option, string } from '@oclif/core/flags'
import { defaultPort } from '../../client/discover.ts'
import { highestPort, limits, mostCapturePercent } from '../../contract/headers.ts'
import { generateToken } from '../../contract/sandbox/access/token.ts'
import { likeProductionFlags } from '../../contract/sandbox/presets.ts'
import { usualRetries } from '../../contract/sandbox/retries.ts'
import { startChoices } from '../../contract/sandbox/start-choices.ts'
import { mostConcurrency, usualConcurrency, webhookOrders } from '../../contract/sandbox/webhooks.ts'
import { stateFolderFlag } from './state-folder.ts'

/** How a sandbox behaves, wherever it runs. */
export const behaviourFlags = {
  token: string({
    description: `Token for the control interface and the pages; ${generateToken} makes one and shows it.`,
    env: 'TILLBOX_TOKEN',
    helpValue: '<secret>',
  }),
  fixtures: string({
    description:
      'Merchants, terminals, cards and outcomes that add to or replace the built-in ones: a JSON or YAML file, or a folder of them. ' +
      'See docs/fixtures.md.',
    helpValue: '<path>',
  }),
  seed: string({
    description:
      'Begin a new state with the transactions of a scenario; no notifications are sent. A state folder that is in use ' +
      'stays as it is. See docs/fixtures.md.',
    helpValue: '<scenario.yaml>',
  }),
  import: string({
    description:
      'Begin with the state of a file of sandbox export; asks first if the state folder has transactions.',
    helpValue: '<file>',
  }),
  yes: boolean({
    char: 'y',
    description: 'Let --import replace transactions without asking.',
    dependsOn: ['import'],
  }),
  'export-on-exit': string({
    description:
      'Write the state to this file when the sandbox stops, as sandbox export does; not when it is killed. ' +
      'An earlier export is replaced.',
    helpValue: '<file>',
  }),
  pace: string({
    description: 'How long an automatic terminal shows each screen: instant, milliseconds (800), or 2s.',
    default: 'instant',
  }),
  'api-key': string({
    description:
      'API key to accept instead of the fixture’s, or of the one that is made where other hosts can reach the sandbox. TILLBOX_API_KEY is ignored: the sandbox shows its key to anyone who asks.',
    env: 'TILLBOX_SANDBOX_API_KEY',
  }),
  'api-key-file': string({
    description:
      'File whose first line is the API key to accept; the key is then not visible in the list of processes.',
    helpValue: '<path>',
  }),
  strict: boolean({
    description:
      'Refuse what is otherwise accepted with a note: unknown fields and applications, request ids that are not UUIDs, ' +
      'a Content-Type with a charset, and unusual wallet payloads.',
  }),
  'strict-content-type': boolean({
    description: 'Require Content-Type on every request, GET included; no public SDK sends it there.',
  }),
  'like-production': boolean({
    description:
      `Behave like the real service as far as it is known: ${likeProductionFlags.join(', ')}. ` +
      'Any of these flags that you pass yourself wins.',
  }),
  terminals: option({
    description: 'Unknown merchant or terminal: known refuses it; open adds it with default settings.',
    options: startChoices.terminals,
    defaultHelp: async () => 'known',
  })(),
  'app-ids': option({
    description: 'Unknown appId: known refuses it; any uses the application of the API key, with a note.',
    options: startChoices.appIds,
    defaultHelp: async () => 'any',
  })(),
  'request-ids': option({
    description:
      'X-Client-Request-Id: any accepts 1 to 64 printable characters without spaces; uuid requires a UUID.',
    options: startChoices.requestIds,
    defaultHelp: async () => 'any',
  })(),
  charset: option({
    description: 'Content-Type with a charset: note accepts it with a note; refuse answers C17.',
    options: startChoices.charset,
    defaultHelp: async () => 'note',
  })(),
  'trigger-amounts': boolean({
    description:
      'Let amounts such as 98.23 select an outcome, as tillbox outcomes lists them; on by default.',
    allowNo: true,
  }),
  extras: boolean({
    description:
      'Add X-Sandbox headers, remedies and other fields of the sandbox to answers, and obey X-Sandbox headers of requests; ' +
      'on by default.',
    allowNo: true,
  }),
  'auth-validity': string({
    description: 'How long an authorisation can be raised and captured: 30d, 12h, or seconds.',
    default: '30d',
    helpValue: '<duration>',
  }),
  'capture-tip': integer({
    description: 'Largest tip of a capture, in percent of its order amount.',
    default: limits.captureTip,
    min: 0,
    max: mostCapturePercent,
    helpValue: '<percent>',
  }),
  'capture-excess': integer({
    description:
      'How far tax and surcharge of a capture may exceed the authorised ones, in percent of the authorised total.',
    default: limits.captureExcess,
    min: 0,
    max: mostCapturePercent,
    helpValue: '<percent>',
  }),
  'auto-close': string({
    description: "Close open batches at this time of the merchant's day, such as 23:30; left out, never.",
    helpValue: '<HH:mm>',
  }),
  duplicates: option({
    description: 'Duplicate request: reject answers an error; replay repeats the first answer.',
    options: startChoices.duplicates,
    default: 'reject',
  })(),
  'http-status': option({
    description:
      'HTTP status of business refusals: sdk sends 200, as the SDKs need it; rest sends a specific one.',
    options: startChoices.httpStatus,
    default: 'sdk',
  })(),
  dialect: option({
    description:
      'Shape of records and batch numbers: that of the specification (spec) or of the SDKs (sdk); auto decides by User-Agent.',
    options: startChoices.dialect,
    default: 'auto',
  })(),
  'notify-url': string({
    description:
      'URL for results of requests without a notifyUrl; on this machine, or see --allow-webhook-host.',
    env: 'TILLBOX_NOTIFY_URL',
  }),
  'forward-to': string({
    description:
      'Forward every notification to this URL in order, as tillbox listen does; it waits while nobody answers. ' +
      'On this machine, or see --allow-webhook-host; tillbox listen can forward to any host.',
    env: 'TILLBOX_FORWARD_TO',
  }),
  retries: string({
    description:
      'Pauses between delivery attempts: none, fast, default, or durations such as 50ms,1s,5m; plain numbers are seconds.',
    default: 'default',
    defaultHelp: async () => usualRetries,
  }),
  'webhook-order': option({
    description:
      'Deliveries to one URL: relaxed sends one after another, and later ones go on while a failed one is retried; strict ' +
      'makes later ones wait for it; concurrent sends several at the same time. Default: as tillbox webhook order set it, or relaxed.',
    options: webhookOrders,
    defaultHelp: async () => 'relaxed',
  })(),
  'webhook-concurrency': integer({
    description: 'Maximum number of simultaneous attempts to one URL; concurrent order only.',
    defaultHelp: async () => String(usualConcurrency),
    min: 1,
    max: mostConcurrency,
    helpValue: '<n>',
  }),
  signature: option({
    description:
      'Signature of webhooks: X-Signature (hmac), the headers of Standard Webhooks (standard), or none.',
    options: startChoices.signature,
    default: 'hmac',
  })(),
  'signature-encoding': option({
    description: 'Encoding of the HMAC in X-Signature.',
    options: startChoices.signatureEncoding,
    default: 'hex',
  })(),
  'allow-webhook-host': string({
    description:
      'Other host that webhooks and --forward-to may call: a name or an address. Can be repeated. ' +
      'A name is resolved at each call. Where others reach the sandbox (--host, --public-url), loopback must be named too: 127.0.0.1.',
    multiple: true,
  }),
  https: boolean({ description: 'Serve TLS 1.2 or higher, with a certificate made on first use.' }),
}

/** Where a sandbox runs and for how long. */
const runFlags = {
  port: integer({
    description: 'Port to listen on; 0 picks a free one.',
    default: defaultPort,
    min: 0,
    max: highestPort,
    env: 'TILLBOX_PORT',
  }),
  host: string({
    description:
      'Address to listen on; other hosts can reach it only with --token, and with keys that the sandbox makes.',
    default: '127.0.0.1',
  }),
  'public-url': string({
    description:
      'URL at which a reverse proxy serves the sandbox, such as https://pay.team.test: accepted as Host and Origin, and used ' +
      'for checkout pages. Other hosts can reach it only with --token. See docs/reverse-proxy.md.',
    helpValue: '<url>',
  }),
  ...stateFolderFlag,
  store: string({
    description:
      'Keep everything in a PostgreSQL database, which several nodes may share: postgres://user:password@host/database. ' +
      'See docs/shared.md.',
    env: 'TILLBOX_STORE',
    helpValue: '<url>',
  }),
  'node-url': string({
    description: 'Where other nodes of the database reach this one; default: where it listens.',
    helpValue: '<url>',
    dependsOn: ['store'],
  }),
  ephemeral: boolean({
    description: 'Keep the state in a temporary folder that is removed when the sandbox stops.',
  }),
  detach: boolean({
    char: 'd',
    description: 'Run in the background: return when the sandbox is ready. Its log is in the state folder.',
  }),
  'with-parent': boolean({
    description:
      'Stop when the process that started it ends; on by default under npm and npx, unless detached.',
    allowNo: true,
  }),
  background: boolean({ description: 'Set by --detach on the process that it starts.', hidden: true }),
}

/** Flags of `sandbox start`. */
export const startFlags = { ...runFlags, ...behaviourFlags }
