import { code, plain } from './markdown.js'

/** Commands that help lists, as `[id, command]`. */
const shown = (commands) => Object.entries(commands).filter(([, { hidden }]) => !hidden)

/** The commands by topic, each linked to its section. */
export function commandIndex(commands) {
  const topicOf = ([id]) => (id.includes(':') ? id.split(':')[0] : '')
  const topics = new Map(shown(commands).map((each) => [topicOf(each), []]))
  for (const each of shown(commands)) topics.get(topicOf(each)).push(each)
  const link =
    (topic) =>
    ([id, command]) => {
      const name = id.slice(topic && topic.length + 1).replaceAll(':', ' ')
      return `[${name}](#${anchorOf(id, command)})`
    }
  return [...topics]
    .map(([topic, list]) => `- ${topic ? `**${topic}**: ` : ''}${list.map(link(topic)).join(', ')}`)
    .join('\n')
}

/** Help groups whose flags are said once, as the section of each begins. */
const groups = { GLOBAL: 'Output', CONNECTION: 'Connection', REQUEST: 'Request', WEBHOOKS: 'Webhook' }

/** The rows that commands share, each once: the flags of each help group, then what three or more take. */
export function sharedFlags(commands, contract) {
  const { grouped, other } = sharedRows(commands, contract)
  return [
    ...Object.entries(groups).map(
      ([group, title]) =>
        `### ${title} flags\n\n${flagList(grouped.filter(({ helpGroup }) => helpGroup === group))}`,
    ),
    `### Other shared flags and arguments\n\n${flagList(other)}`,
  ].join('\n\n')
}

/** The rows that three or more commands have, but for the options, which have a page of their own. */
function sharedRows(commands, contract) {
  const options = optionSayings(contract)
  const rows = new Map()
  for (const row of Object.values(commands).flatMap((command) => rowsOf(command, contract)))
    rows.set(row.text, { ...row, count: (rows.get(row.text)?.count ?? 0) + 1 })
  const shared = [...rows.values()].filter(
    ({ count, name, says }) => count >= 3 && !options.has(`${name} ${says}`),
  )
  return {
    grouped: shared.filter(({ helpGroup }) => helpGroup in groups),
    other: shared.filter(({ helpGroup }) => !(helpGroup in groups)),
  }
}

/** A section for each command: usage, description, its own arguments and flags, the shared ones, and examples. */
export function commandSections(commands, contract) {
  const shared = sharedRows(commands, contract)
  const exitHelp = `Exit codes:\n${Object.entries(contract.exitMeanings)
    .map(([number, text]) => `  ${number}  ${text}`)
    .join('\n')}`
  return shown(commands)
    .map(([id, command]) => section(id, command, exitHelp, shared, contract))
    .join('\n\n')
}

/** Fields are in docs/api.md, the values of a flag beside it, the names of lists in docs/json.md. */
const saidElsewhere =
  /(?<=^Set a field that has no flag\..*)\n(?:.|\n)*|^Values of --.*$|--json prints an object with the list under \w+\.|; see docs\/command-line\.md/gm

/** Method, path and place of an operation are in its section of docs/api.md. */
const operationLink = [
  /^(?:GET|POST) \S+ \((\d)\.(\d) of the specification\), processed [^.]*\./,
  '[Operation $1.$2](api.md#operation-$1-$2).',
]

/** Lists in a description that another page has as a table. */
const listedElsewhere = /^(Faults|Cards|Outcomes):\n(?: {2}.*\n?)+/gm
const listPages = {
  Faults: 'faults.md#kinds',
  Cards: 'terminals.md#test-cards',
  Outcomes: 'terminals.md#outcomes',
}
const listLink = (_, name) => `${name}: see [the table](${listPages[name]}).\n`

function section(id, command, exitHelp, shared, contract) {
  const { own, links } = withoutShared(rowsOf(command, contract), shared, contract)
  return [
    `## ${code(usage(id, command))}`,
    command.summary,
    paragraphs(
      command.description
        ?.replace(exitHelp, '')
        .replace(saidElsewhere, '')
        .replace(listedElsewhere, listLink)
        .replace(...operationLink),
    ),
    flagList(own),
    links.length === 0 ? '' : `Shared: ${links.join('; ')}.`,
    examples(command.examples),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

/** The rows that the command has alone, and links to the others. */
function withoutShared(rows, { grouped, other }, contract) {
  const options = optionSayings(contract)
  const has = (list) => (row) => list.some(({ text }) => text === row.text)
  const found = rows.filter(has(grouped))
  const others = rows.filter(has(other))
  const documented = rows.filter(({ name, says }) => options.has(`${name} ${says}`))
  return {
    own: rows.filter((row) => ![...found, ...others, ...documented].includes(row)),
    links: [
      ...Object.entries(groups)
        .filter(([group]) => found.some(({ helpGroup }) => helpGroup === group))
        .map(([, title]) => `[${title.toLowerCase()}](#${title.toLowerCase()}-flags)`),
      ...(others.length > 0 ? [`[other](#other-shared-flags-and-arguments) ${names(others)}`] : []),
      ...(documented.length > 0 ? [`[options](options.md) ${names(documented)}`] : []),
    ],
  }
}

/** Flags of the options in docs/options.md, with what it says of them. */
const optionSayings = ({ sandboxOptions: { behaviourOptions, accessOptions, addressOptions } }) =>
  new Set(
    Object.values({ ...behaviourOptions, ...accessOptions, ...addressOptions }).map(
      ({ flag, what }) => `--${flag?.name} ${what}.`,
    ),
  )

const names = (rows) => rows.map(({ name }) => code(name)).join(', ')

const nameOf = (id) => `tillbox ${id.replaceAll(':', ' ')}`

/** The anchor that GitHub gives the heading of the command. */
const anchorOf = (id, command) =>
  usage(id, command)
    .toLowerCase()
    .replace(/[^\w -]/g, '')
    .replaceAll(' ', '-')

/** How the command is typed: its name, its arguments and the flags that it needs. */
function usage(id, command) {
  const args = Object.values(command.args).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))
  const needed = visible(command).filter(({ required }) => required)
  return [nameOf(id), ...args, ...needed.map(typed)].join(' ')
}

const visible = ({ flags }) => Object.values(flags).filter(({ hidden }) => !hidden)

/** A paragraph with indented lines, such as a list of exit codes, is shown as it stands. */
const paragraphs = (text = '') =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((one) => (/\n {2}/.test(one) ? `\`\`\`\n${one}\n\`\`\`` : plain(one)))
    .join('\n\n')

/** Arguments and flags as rows: what is shown of each, which is the same for those that are shared. */
const rowsOf = (command, contract) => [
  ...Object.values(command.args).map((arg) => rowOf(code(arg.name), arg.name, arg, contract)),
  ...visible(command).map((flag) => {
    const typedNames = [flag.char && `-${flag.char}`, typed(flag), flag.allowNo && `--no-${flag.name}`]
    return rowOf(typedNames.filter(Boolean).map(code).join(', '), `--${flag.name}`, flag, contract)
  }),
]

function rowOf(shownName, name, item, contract) {
  const says = item.summary ?? item.description ?? ''
  const meaning = sentence(
    shortened(says.replace(saidElsewhere, ''), contract),
    item.env,
    item.options,
    item.default,
    contract,
  )
  const text = `- ${shownName}${item.required ? ' (required)' : ''}: ${meaning}`
  return { name, text, says, helpGroup: item.helpGroup }
}

const flagList = (rows) => rows.map(({ text }) => text).join('\n')

/** Names that another page lists are a link to it. */
const shortened = (text, { cards, outcomes }) =>
  [
    [cards, 'test-cards'],
    [outcomes, 'outcomes'],
  ].reduce((short, [list, anchor]) => {
    const listed = list.map(({ name }) => name).filter((name) => short.includes(name))
    return listed.length > 5
      ? short.replace(listed.join(', '), `one of [these](terminals.md#${anchor})`)
      : short
  }, text)

const typed = ({ name, type, helpValue }) =>
  `--${name}${type === 'option' ? ` ${helpValue ?? '<value>'}` : ''}`

function sentence(description, env, options, preset, { operations }) {
  const isOperations = options?.length === Object.keys(operations).length
  return [
    plain(description),
    options &&
      `One of ${isOperations ? 'these [operations](api.md#operations)' : options.map(code).join(', ')}.`,
    preset !== undefined && preset !== false && `Default: ${code(String(preset))}.`,
    env && `Environment: ${code(env)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

/** Three examples, without those that add only `--json` to another; help has all. */
function examples(list = []) {
  const shownLines = list.filter(
    (line) => !list.includes(line.replace(/ --json$/, '')) || !line.endsWith(' --json'),
  )
  return list.length === 0 ? '' : ['```sh', ...shownLines.slice(0, 3), '```'].join('\n')
}

/** Commands whose answer is a list, and the member that has it. */
export const jsonLists = (commands) =>
  [
    ...Object.values(commands).flatMap(({ id, listMember }) =>
      listMember ? `- \`${id.replaceAll(':', ' ')}\`: \`${listMember}\`` : [],
    ),
  ].join('\n')
