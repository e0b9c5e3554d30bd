import { getDescription } from 'valibot'
import { evidenceOf } from './evidence.js'
import { code, codes, definitions, plain, table } from './markdown.js'
import { describeField, innerFields, isOptional } from './schema.js'

const processed = {
  terminal: 'terminal',
  configurable: 'terminal or cloud',
  cloud: 'cloud',
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
  sessionExpiry: ['Time for which a checkout session takes a payment', 'checkout sessions', minutes],
  shortestExpiry: ['Earliest `timeExpire`', 'payments on a terminal', (ms) => `${minutes(ms)} ahead`],
  longestExpiry: [
    'Latest `timeExpire`, and the default',
    'payments on a terminal',
    (ms) => `${days(ms)} ahead`,
  ],
  authValidity: ['Age of an authorisation that can be raised or captured', 'authorisations', days],
  captureTip: ['Tip of a capture', 'captures', (percent) => `${percent} % of its order amount`],
  captureExcess: [
    'Tax or surcharge of a capture',
    'captures',
    (percent) => `the authorised tax or surcharge plus ${percent} % of the authorised total`,
  ],
}

/** The generated parts of the pages that describe the service: marker → text. */
export function apiTables(contract) {
  const {
    applications,
    beginsOrder,
    cards,
    controls,
    errorTable,
    exitMeanings,
    faultKinds,
    faultPresets,
    likeProduction,
    limits,
    mayBeginOrder,
    operations,
    outcomes,
    ruleOrder,
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
    answers: answerMembers(contract.wholeAnswer(operation.answer)),
    ...operation,
    choice: mayBeginOrder(name) ? [] : choiceOf(operation),
    forbids: [
      ...(operation.forbids ?? []),
      ...(ruleOrder[name].some((rule) => rule.startsWith('noCash')) ? ['cashbackAmount'] : []),
    ],
  }))
  return {
    operations: () =>
      table(
        ['no.', 'operation', 'method and path', 'runs on', 'command'],
        rows.map(({ label, summary, method, path, runs, command, number, otherMethod }) => [
          number ?? '–',
          `[${summary}](${anchorOf(label)})`,
          code(`${method} ${path}`) + (otherMethod ? ` (also ${otherMethod})` : ''),
          processed[runs],
          code(`tillbox ${command}`),
        ]),
      ),
    operation: (name) => operationText(rows.find((row) => row.name === name)),
    'field-types': () =>
      namedTypes.map(([name, type, limits, words = limits]) => `- **${name}**: ${type}, ${words}`).join('\n'),
    fields: () => fieldTable(rows, (field) => isSpecified(contract, field)),
    'inner-fields': () => innerTable(rows),
    record: () =>
      definitions(
        contract.claims.record.record.map((name) => {
          const member = webhookBodies['payment-result'].entries[name]
          return [
            `<a id="record-${kebab(name)}"></a>${code(name)}`,
            getDescription(member) ?? getDescription(member.wrapped),
            recordType(member),
          ]
        }),
      ),
    errors: (wanted) =>
      Object.entries(errorTable)
        .filter(([, { kind }]) => kind === wanted)
        .map(([name, { status, message }]) => {
          const anchor = `<a id="error-${name.toLowerCase().replaceAll('_', '-')}"></a>`
          return `- ${anchor}${code(name)} (${status}): ${plain(message)}`
        })
        .join('\n'),
    'refund-rejections': () =>
      contract.claims['refund-messages'].errors
        .map(
          (name) => `- **${errorTable[name].message}** (${code(name)}): ${plain(errorTable[name].remedy)}.`,
        )
        .join('\n'),
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
      Object.entries(likeProduction)
        .map(([name, { value, what, why }]) => `- ${code(`${name}: ${value}`)}: ${what} *Why:* ${why}`)
        .join('\n'),
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
      definitions(
        Object.values(faultKinds).map(({ syntax, acts, summary }) => [code(syntax), plain(summary), acts]),
      ),
    situations: () => situationGroups.map(situationsOf).join('\n\n'),
    controls: () => Object.values(controls).map(controlLine).join('\n'),
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
        ['card', 'network', 'type', 'entry mode', 'verification', 'outcome'],
        cards.map(({ name, cardNetworkType, paymentMethod, entryMode, authenticationMethod, outcome }) => [
          name,
          paymentMethod,
          cardNetworkType,
          entryMode ?? 'QR code',
          authenticationMethod === 'NOT_AUTHENTICATED' ? '–' : authenticationMethod,
          outcome ?? '–',
        ]),
      ),
    'exit-codes': () => table(['code', 'meaning'], Object.entries(exitMeanings)),
  }
}

/** A call of the control interface: its members, those that may be left out with a question mark, and its sentence. */
function controlLine({ method, path, summary, input }) {
  const members = Object.entries(input.entries).map(([name, schema]) =>
    code(isOptional(schema) ? `${name}?` : name),
  )
  return `- ${code(`${method} ${path}`)}${members.length > 0 ? ` (${members.join(', ')})` : ''}: ${plain(summary)}.`
}

const kebab = (name) => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)

/** Of a member of the record: text, or an amount. */
function recordType({ type, wrapped = { type } }) {
  const base = wrapped.type === 'number' ? 'integer' : 'string'
  return type === 'nullable' ? `${base} or null` : base
}

/** Members of an answer, those that may be absent with a question mark; none for a record, which has a section. */
function answerMembers({ pipe: [base] }) {
  const members = Object.entries(base.entries ?? {})
  return members.map(([name, { type }]) =>
    type.endsWith('ptional') || type === 'nullish' ? `${name}?` : name,
  )
}

const anchorOf = (label) => `#operation-${label.replaceAll('.', '-')}`

/** Ids of which a request names what it acts on by one. */
const choices = [
  ['originalTransactionId', 'originalTransactionRequestId'],
  ['transactionId', 'transactionRequestId'],
  ['sessionId', 'transactionRequestId'],
]

/** The ids of which a request must send one; none for a request that acts on nothing. */
const choiceOf = ({ input: { entries } }) =>
  choices.find((names) => names.every((name) => name in entries && isOptional(entries[name]))) ?? []

function operationText(operation) {
  const { name, label, method, otherMethod, path, choice, forbids, input, isNeeded, answers } = operation
  const fields = Object.keys(input.entries).filter(
    (each) => !choice.includes(each) && !forbids.includes(each),
  )
  const named = (optional) => codes(fields.filter((field) => isNeeded(field) !== optional))
  return [
    `<a id="${anchorOf(label).slice(1)}"></a>`,
    '',
    `### ${label === name ? '' : `${label} `}${name}`,
    '',
    `${code(`${method} ${path}`)}${otherMethod ? `, also ${otherMethod}` : ''}`,
    '',
    ...(named(false) ? [`- Required: ${named(false)}`] : []),
    ...(choice.length > 0 ? [`- One of: ${codes(choice)}`] : []),
    `- Optional: ${named(true)}`,
    ...(forbids.length > 0 ? [`- Refused: ${codes(forbids)}`] : []),
    ...(answers.length > 0 ? [`- Answers: ${codes(answers)}`] : []),
  ].join('\n')
}

/**
 * The situations of a group as a table, and what judges them. What to do, and where the attack tries a situation, stands
 * once above the table where most rows have it; their cells are empty.
 */
function situationsOf({ title, laws, situations }) {
  const rows = Object.entries(situations)
  const usualAdvice = usual(rows.map(([, { advice }]) => advice))
  const usualPlace = usual(rows.map(([, each]) => placeOf(each)))
  const columns = [
    ['situation', ([name]) => code(name)],
    ['what happens', ([, each]) => each.title],
    ['do this', ([, each]) => (each.advice === usualAdvice ? '' : each.advice), usualAdvice],
    ['tried at', ([, each]) => (placeOf(each) === usualPlace ? '' : placeOf(each)), usualPlace],
  ].filter(([, cell, above]) => above === undefined || rows.some((row) => cell(row) !== ''))
  return [
    `### ${title}`,
    [
      usualAdvice && `- **Do this:** ${usualAdvice}`,
      `- **Laws:** ${laws.map(code).join(', ')}.`,
      usualPlace && `- **Tried at:** ${usualPlace}.`,
    ]
      .filter(Boolean)
      .join('\n'),
    table(
      columns.map(([head]) => head),
      rows.map((row) => columns.map(([, cell]) => cell(row))),
    ),
  ].join('\n\n')
}

/** What most of several texts are; undefined where no text is. */
const usual = (texts) =>
  texts.length > 1 && texts.find((text) => texts.filter((each) => each === text).length > texts.length / 2)

/** Where the attack tries a situation, in words. */
function placeOf({ moves = [] }) {
  const tried = [...new Set(moves.map(({ at }) => places[at]))]
  return tried.length === 0 ? 'your own steps only' : tried.join('; ')
}

/** Where the attack causes a situation. */
const places = {
  changing: 'each change at the service',
  opening: 'each payment or refund',
  direct: 'each payment or refund without a hosted page',
  'look-up': 'each query',
  webhook: 'each step with a webhook',
  terminal: 'each payment at a terminal',
  page: 'each hosted page that is paid',
  'left-page': 'each hosted page that is left before another is paid',
  request: 'each customer request',
  visit: 'each customer GET request',
  step: 'each step',
}

/** Types that many fields have: name, type, limits, and the limits in other words. */
const namedTypes = [
  ['amount', 'integer', '0 to 1,000,000,000,000'],
  ['currency', 'string', 'active ISO 4217 code in capitals, such as USD'],
  [
    'date-time',
    'string',
    'date-time in ISO 8601 with its offset, such as 2026-01-31T12:00:00Z; date-time that exists',
    'ISO 8601 with its offset, such as 2026-01-31T12:00:00Z; 30 February is refused',
  ],
  ['request id', 'string', '1 to 64 characters out of A–Z a–z 0–9 _ -'],
  ['URL', 'string', 'at most 512 characters; http or https URL'],
]

/** Type and limits, or the name that both have together. */
function typeText(type, limits) {
  const named = namedTypes.find(([, of, within]) => of === type && within === limits)
  return named?.[0] ?? [type, limits].filter(Boolean).join(', ').replaceAll('\\', '\\\\')
}

/** True for a member of requests that the specification has. */
const isSpecified = ({ claims, claimsAbout }, field) =>
  claimsAbout('fields', field).some((name) => claims[name].kind === 'specification')

/** One row for each field; where a field means something else in some operations, one row for each meaning, with those. */
function fieldTable(operations, isSpecified) {
  const rows = new Map()
  for (const { label, input } of operations)
    for (const [name, schema] of Object.entries(input.entries)) {
      const described = describeField(schema)
      const key = [name, ...Object.values(described)].join()
      const row = rows.get(key) ?? { name, ...described, labels: [] }
      rows.set(key, row)
      row.labels.push(label)
    }
  const all = [...rows.values()]
  const labels = operations.map(({ label }) => label)
  const isAlone = (name) => all.filter((row) => row.name === name).length === 1
  return definitions(
    all.map(({ name, type, limits, meaning, labels: chosen }) => [
      code(name) + (isSpecified(name) ? '\\*' : '') + (isAlone(name) ? '' : ` of ${spans(chosen, labels)}`),
      meaning,
      typeText(type, limits),
    ]),
  )
}

/**
 * The fields of fields that are objects; one row for those of the same name and meaning in several objects. Those that
 * mean what a field of a request by that name means, or stand in `amount` and beside it, are left out.
 */
function innerTable(operations) {
  const own = new Set()
  const fields = new Map()
  const [requiredIn, optionalIn] = [new Map(), new Map()]
  for (const { label, input } of operations)
    for (const [name, schema] of Object.entries(input.entries)) {
      const { type, limits, meaning } = describeField(schema)
      own.add([name, meaning, typeText(type, limits)].join())
      for (const [path, field] of innerFields(name, schema)) {
        const { type, limits, meaning } = describeField(field)
        const list = isOptional(field) ? optionalIn : requiredIn
        list.set(path, [...(list.get(path) ?? []), label])
        fields.set(path, [meaning, typeText(type, limits)])
      }
    }
  const requirement = (path) => {
    if (!requiredIn.has(path)) return false
    return optionalIn.has(path) ? `required, except in ${optionalIn.get(path).join(', ')}` : 'required'
  }
  const rows = new Map()
  for (const [path, cells] of fields) {
    const name = path.split('.').at(-1)
    const isKnown =
      own.has([name, ...cells].join()) || (path.startsWith('amount.') && fields.has(path.slice(7)))
    if (isKnown) continue
    const texts = [...cells, requirement(path)]
    const key = [name, ...texts].join()
    rows.set(key, { paths: [...(rows.get(key)?.paths ?? []), path], texts })
  }
  return definitions([...rows.values()].map(({ paths, texts }) => [codes(paths), ...texts]))
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
