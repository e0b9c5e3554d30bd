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

/** Flags that commands share: all of those help groups that a command has, but those that differ from command to command. */
const groups = [
  { name: 'output', of: 'sale', helpGroups: ['GLOBAL'] },
  { name: 'sandbox', of: 'audit', helpGroups: ['CONNECTION'] },
  { name: 'service', of: 'sale', helpGroups: ['CONNECTION', 'REQUEST'] },
  { name: 'webhook', of: 'sale', helpGroups: ['WEBHOOKS'] },
  { name: 'payment', of: 'auth', helpGroups: [undefined, 'SANDBOX'] },
]

/** The rows that commands share, each once: the flags of each group, then what three or more take. */
export function sharedFlags(commands, contract) {
  const { named, other } = sharedRows(commands, contract)
  return [
    ...[...named].map(([name, rows]) => `### ${titleOf(name)}\n\n${flagList(rows)}`),
    `### Other shared flags and arguments\n\n${flagList(other)}`,
  ].join('\n\n')
}

const titleOf = (name) => `${name[0].toUpperCase()}${name.slice(1)} flags`

function sharedRows(commands, contract) {
  const all = Object.values(commands).flatMap((command) => rowsOf(command, contract))
  const count = ({ text }) => all.filter((row) => row.text === text).length
  const named = new Map(
    groups.map(({ name, of, helpGroups }) => [
      name,
      rowsOf(commands[of], contract).filter((row) => helpGroups.includes(row.helpGroup) && count(row) >= 2),
    ]),
  )
  const taken = new Set([...named.values()].flat().map(({ text }) => text))
  const options = optionSayings(contract)
  const other = new Map()
  for (const row of all.filter(
    (each) => !taken.has(each.text) && !options.has(`${each.name} ${each.says}`) && count(each) >= 3,
  )) {
    const before = other.get(row.name)
    if (before === undefined || count(row) > count(before)) other.set(row.name, row)
  }
  return { named, other: [...other.values()] }
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
  /(?<=^Set a field that has no flag): .*?(?=\. Can)|^Values of --.*$|--json prints an object with the list under \w+\.|; see docs\/command-line\.md/gm

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

/** The rows that the command has alone, and links to the others. A group of which most is there is named with what is missing. */
function withoutShared(rows, { named, other }, contract) {
  const links = []
  const take = (anchor, label, group) => {
    const has = (list, { text }) => list.some((row) => row.text === text)
    const found = group.filter((row) => has(rows, row))
    const missing = group.filter((row) => !has(found, row))
    if (found.length === 0) return
    const rest = missing.length < found.length ? without(missing) : `: ${names(found)}`
    links.push(`[${label}](${anchor})${label === 'other' ? ` ${names(found)}` : rest}`)
    rows = rows.filter((row) => !has(found, row))
  }
  const isService = named
    .get('service')
    .some(({ name, text }) => name === '--base-url' && rows.some((row) => row.text === text))
  for (const [name, group] of named)
    if (name !== (isService ? 'sandbox' : 'service')) take(`#${name}-flags`, name, group)
  take('#other-shared-flags-and-arguments', 'other', other)
  const sayings = optionSayings(contract)
  const options = rows.filter(({ name, says }) => sayings.has(`${name} ${says}`))
  if (options.length > 0) {
    links.push(`[options](options.md) ${names(options)}`)
    rows = rows.filter((row) => !options.includes(row))
  }
  return { own: rows, links }
}

/** Flags of the options in docs/options.md, with what it says of them. */
const optionSayings = ({ sandboxOptions: { behaviourOptions, accessOptions, addressOptions } }) =>
  new Set(
    Object.values({ ...behaviourOptions, ...accessOptions, ...addressOptions }).map(
      ({ flag, what }) => `--${flag?.name} ${what}.`,
    ),
  )

const names = (rows) => rows.map(({ name }) => code(name)).join(', ')
const without = (missing) => (missing.length === 0 ? '' : ` without ${names(missing)}`)

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
  const lines = list.map((example) => (example.command ?? example).replaceAll('<%= config.bin %>', 'tillbox'))
  const shownLines = lines.filter(
    (line) => !lines.includes(line.replace(/ --json$/, '')) || !line.endsWith(' --json'),
  )
  return lines.length === 0 ? '' : ['```sh', ...shownLines.slice(0, 3), '```'].join('\n')
}

/** Commands whose answer is a list, and the member that has it. */
export const jsonLists = (commands) =>
  [
    ...Object.values(commands).flatMap(({ id, listMember }) =>
      listMember ? `- \`${id.replaceAll(':', ' ')}\`: \`${listMember}\`` : [],
    ),
  ].join('\n')
