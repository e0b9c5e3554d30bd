import { getDescription } from 'valibot'
import { evidenceOf } from './evidence.js'
import { code, codes, plain, table } from './markdown.js'
import { describeField, innerFields, isOptional } from './schema.js'

const processed = {
  terminal: 'on a terminal',
  configurable: 'on a terminal or in the cloud',
  cloud: 'in the cloud',
}

const characters = (count) => `${count} characters`

/** What the limits of the contract mean, by their names there: title, where it applies, its unit, and its anchor. */
const limitTexts = {
  timestampDeviation: [
    '`X-Timestamp` from the service’s time, either way',
    'every request',
    minutes,
    'timestamp',
  ],
  clientRequestIdWindow: [
    'Window in which an `X-Client-Request-Id` must not be repeated',
    'POST',
    minutes,
    'duplicates',
  ],
  refundPeriod: ['Age of a payment that can be refunded', 'refunds', days, 'refund-period'],
  body: ['Size of a body', 'every request', (bytes) => `${bytes / 1024 ** 2} MiB`],
  text: ['Length of a name or a searched text', 'control interface, pages, agents', characters],
  url: ['Length of a URL', 'every URL', characters],
  closeListSpan: ['Period of the list of closed batches', 'batch close list', days],
  amount: ['Largest amount', 'every amount', (units) => `${grouped(units)} minor units`],
  sessionExpiry: ['Time in which a checkout session takes a payment', 'checkout sessions', minutes],
  shortestExpiry: ['Earliest `timeExpire`', 'payments on a terminal', (ms) => `${minutes(ms)} ahead`],
  longestExpiry: [
    'Latest `timeExpire`, and the default',
    'payments on a terminal',
    (ms) => `${days(ms)} ahead`,
  ],
  authValidity: ['Age of an authorisation that can be raised or captured', 'authorisations', days],
  captureTip: ['Tip of a capture', 'captures', (percent) => `${percent} % of its order amount`],
  captureExcess: [
    'Tax, and surcharge, of a capture',
    'captures',
    (percent) => `what was authorised of it plus ${percent} % of the authorised total`,
  ],
}

/** The generated parts of the pages that describe the service: marker → text. */
export function apiTables(contract) {
  const {
    applications,
    beginsOrder,
    cards,
    errorTable,
    exitMeanings,
    faultKinds,
    faultPresets,
    likeProduction,
    limits,
    operations,
    outcomes,
    sessionChanges,
    situationGroups,
    statusRows,
    terminalEvents,
    webhookBodies,
  } = contract
  const evidence = evidenceOf(contract)
  const rows = Object.entries(operations).map(([name, operation]) => ({
    name,
    label: operation.number ?? name,
    isNeeded: (field) =>
      !isOptional(operation.input.entries[field]) || (field === 'priceCurrency' && beginsOrder(name)),
    ...operation,
  }))
  return {
    operations: () =>
      table(
        ['no.', 'operation', 'method and path', 'processed', 'command'],
        rows.map(({ label, summary, method, path, runs, command, number, otherMethod }) => [
          number ?? '–',
          `[${summary}](${anchorOf(label)})`,
          code(`${method} ${path}`) + (otherMethod ? ` (also ${otherMethod})` : ''),
          processed[runs],
          code(`tillbox ${command}`),
        ]),
      ),
    operation: (name) => operationText(rows.find((row) => row.name === name)),
    fields: () => fieldTable(rows, evidence),
    'inner-fields': () => innerTable(rows),
    record: () =>
      table(
        ['field', 'type', 'meaning'],
        contract.claims.record.record.map((name) => {
          const member = webhookBodies['payment-result'].entries[name]
          return [
            `<a id="record-${kebab(name)}"></a>${code(name)}`,
            recordType(member),
            getDescription(member),
          ]
        }),
      ),
    errors: () =>
      table(
        ['code', 'HTTP status', 'message', 'remedy', 'evidence'],
        Object.entries(errorTable).map(([name, { kind, status, message, remedy }]) => [
          `<a id="error-${name.toLowerCase().replaceAll('_', '-')}"></a>${code(name)}`,
          kind === 'http' ? status : `200 (${status})`,
          plain(message),
          plain(remedy),
          evidence('errors', name),
        ]),
      ),
    statuses: () =>
      table(
        ['status', 'letter', 'word', 'what leads there', 'may become'],
        statusRows().map(({ status, letter, word, after, next }) => [
          status,
          letter,
          word,
          after.join('; '),
          next.join(', ') || 'nothing: it is final',
        ]),
      ),
    'session-states': () =>
      table(
        ['state', 'becomes', 'by'],
        sessionChanges.map(({ from, to, why }) => [from ?? '–', to, why]),
      ),
    'like-production': () =>
      table(
        ['option', 'what it does', 'why'],
        Object.entries(likeProduction).map(([name, { value, what, why }]) => [
          code(`${name}: ${value}`),
          what,
          why,
        ]),
      ),
    limits: () =>
      table(
        ['limit', 'value', 'applies to', 'evidence'],
        Object.entries(limits).map(([name, value]) => {
          if (limitTexts[name] === undefined)
            throw new Error(`bin/docs/contract.js has no text for limits.${name}`)
          const [title, where, show, anchor] = limitTexts[name]
          return [
            anchor ? `<a id="limit-${anchor}"></a>${title}` : title,
            show(value),
            where,
            evidence('limits', name),
          ]
        }),
      ),
    'terminal-events': () => terminalEvents.map((name, index) => `${index + 1}. ${code(name)}`).join('\n'),
    outcomes: () =>
      table(
        ['outcome', 'code', 'amount (minor units)', 'message'],
        outcomes.map(({ name, code: result, amount, message }) => [name, result, amount ?? '–', message]),
      ),
    terminals: () =>
      table(
        ['terminal', 'what it does'],
        applications[0].merchants[0].terminals.map(({ terminalSn, summary }) => [terminalSn, summary]),
      ),
    faults: () =>
      table(
        ['fault', 'acts', 'what happens'],
        Object.values(faultKinds).map(({ syntax, acts, summary }) => [code(syntax), acts, plain(summary)]),
      ),
    situations: () => situationGroups.map(situationsOf).join('\n\n'),
    'fault-presets': () =>
      table(
        ['preset', 'what happens', 'faults'],
        faultPresets.map(({ title, summary, faults }) => [
          title,
          summary,
          faults
            .map(({ kind, share }) =>
              share === undefined ? code(kind) : `${code(kind)} with share ${share}`,
            )
            .join(', '),
        ]),
      ),
    cards: () =>
      table(
        ['card', 'network', 'read', 'verified', 'outcome'],
        cards.map(({ name, cardNetworkType, paymentMethod, entryMode, authenticationMethod, outcome }) => [
          name,
          `${paymentMethod} ${cardNetworkType}`,
          entryMode ?? '–',
          authenticationMethod,
          outcome ?? '–',
        ]),
      ),
    'exit-codes': () => table(['code', 'meaning'], Object.entries(exitMeanings)),
  }
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Of a member of the record: text, or an amount. */
function recordType({ type, wrapped = { type } }) {
  const base = wrapped.type === 'number' ? 'integer' : 'string'
  return type === 'nullable' ? `${base} or null` : base
}

const anchorOf = (label) => `#operation-${label.replaceAll('.', '-')}`

function operationText({ name, label, method, otherMethod, path, forbids = [], input, isNeeded }) {
  const fields = Object.keys(input.entries)
  const named = (optional) => codes(fields.filter((field) => isNeeded(field) !== optional))
  return [
    `<a id="${anchorOf(label).slice(1)}"></a>`,
    '',
    `### ${label === name ? '' : `${label} `}${name}`,
    '',
    `${code(`${method} ${path}`)}${otherMethod ? `, also ${otherMethod}` : ''}`,
    '',
    ...(named(false) ? [`- Required: ${named(false)}`] : []),
    `- Optional: ${named(true)}`,
    ...(forbids.length > 0 ? [`- Refused: ${codes(forbids)}`] : []),
  ].join('\n')
}

/**
 * The situations of a group, with what judges them: what to do stands once above the table where most rows
 * have it, else in each row.
 */
function situationsOf({ title, laws, situations }) {
  const rows = Object.entries(situations)
  const advices = rows.map(([, { advice }]) => advice)
  const usual =
    rows.length > 1 &&
    advices.find((advice) => advices.filter((each) => each === advice).length > rows.length / 2)
  const happens = ({ title: what, advice }) => (advice === usual ? what : `${what}. **Do this:** ${advice}`)
  const tried = ({ moves = [] }) => [...new Set(moves.map(({ at }) => places[at]))].join('; ') || '–'
  return [
    `### ${title}`,
    [...(usual ? [`**Do this:** ${usual}`] : []), `Laws: ${laws.map(code).join(', ')}.`].join('\n'),
    table(
      ['situation', 'what happens', 'how to meet it', 'the attack tries it at'],
      rows.map(([name, each]) => [code(name), happens(each), each.how ? code(each.how) : '–', tried(each)]),
    ),
  ].join('\n\n')
}

/** Where the attack brings a situation about. */
const places = {
  changing: 'each request that changes something',
  opening: 'each payment and refund',
  direct: 'each payment and refund without a page',
  'look-up': 'each look-up',
  webhook: 'each step with a webhook',
  terminal: 'each payment at a terminal',
  page: 'each page that is paid',
  'left-page': 'each page that is left, where another one is paid',
  request: 'each request of a customer',
  visit: 'each look at a page of yours',
  step: 'each step',
}

/** One row for each field; where a field means something else in some operations, one row for each meaning, with those. */
function fieldTable(operations, evidence) {
  const rows = new Map()
  for (const { label, input } of operations)
    for (const [name, schema] of Object.entries(input.entries)) {
      const { type, limits, meaning } = describeField(schema)
      const row = rows.get([name, type, limits, meaning].join()) ?? {
        name,
        type,
        limits,
        meaning,
        labels: [],
      }
      rows.set([name, type, limits, meaning].join(), row)
      row.labels.push(label)
    }
  const all = [...rows.values()]
  const labels = operations.map(({ label }) => label)
  const isAlone = (name) => all.filter((row) => row.name === name).length === 1
  return table(
    ['field', 'type', 'limits', 'meaning', 'evidence'],
    all.map(({ name, type, limits, meaning, labels: chosen }) => [
      code(name) + (isAlone(name) ? '' : ` of ${spans(chosen, labels)}`),
      type,
      limits,
      meaning,
      evidence('fields', name),
    ]),
  )
}

/** The fields of fields that are objects; one row for those of the same name and meaning in several objects. */
function innerTable(operations) {
  const fields = new Map()
  for (const { input } of operations)
    for (const [name, schema] of Object.entries(input.entries))
      for (const [path, field] of innerFields(name, schema)) {
        const { type, limits, meaning } = describeField(field)
        const isRequired = !isOptional(field) || fields.get(path)?.[3] === 'yes'
        fields.set(path, [type, limits, meaning, isRequired ? 'yes' : ''])
      }
  const rows = new Map()
  for (const [path, cells] of fields) {
    const key = [path.split('.').at(-1), ...cells].join()
    rows.set(key, { paths: [...(rows.get(key)?.paths ?? []), path], cells })
  }
  return table(
    ['field', 'type', 'limits', 'meaning', 'required'],
    [...rows.values()].map(({ paths, cells }) => [codes(paths), ...cells]),
  )
}

/** `1.1, 1.2, 1.3, 2.1` is `1.1–1.3, 2.1`; a range stays within its chapter. */
function spans(chosen, all) {
  if (chosen.length === all.length) return 'all'
  const chapter = (label) => label.split('.')[0]
  const runs = []
  for (const label of chosen) {
    const before = runs.at(-1)?.at(-1)
    if (before && all.indexOf(label) === all.indexOf(before) + 1 && chapter(label) === chapter(before))
      runs.at(-1).push(label)
    else runs.push([label])
  }
  return runs.map((run) => (run.length > 2 ? `${run[0]}–${run.at(-1)}` : run.join(', '))).join(', ')
}

function minutes(ms) {
  return `${ms / 60_000} minutes`
}

function days(ms) {
  return ms === 86_400_000 ? '1 day' : `${ms / 86_400_000} days`
}

function grouped(count) {
  return count.toLocaleString('en-US')
}
