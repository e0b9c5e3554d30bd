import { code, plain, table } from './markdown.js'

/** Commands that help lists, as `[id, command]`. */
const shown = (commands) => Object.entries(commands).filter(([, { hidden }]) => !hidden)

/** Every command with its summary, linked to its section. */
export const commandTable = (commands) =>
  table(
    ['command', 'what it does'],
    shown(commands).map(([id, command]) => [`[${usage(id, command)}](#${anchorOf(id)})`, command.summary]),
  )

/** The flags that many commands share, each once. */
export const commonFlags = (commands) => flagTable([...sharedBy(commands).values()])

/** Flags that at least three commands have with the same words, by what is said of them. */
function sharedBy(commands) {
  const flags = Object.values(commands).flatMap(visible)
  const count = (row) => flags.filter((flag) => flagRow(flag).join() === row).length
  const byRow = new Map(flags.map((flag) => [flagRow(flag).join(), flag]))
  return new Map([...byRow].filter(([row]) => count(row) >= 3))
}

const visible = ({ flags }) => Object.values(flags).filter(({ hidden }) => !hidden)

/** A section for each command: usage, description, arguments, flags and examples. */
export function commandSections(commands, exitMeanings) {
  const shared = sharedBy(commands)
  const exitHelp = `Exit codes:\n${Object.entries(exitMeanings)
    .map(([number, text]) => `  ${number}  ${text}`)
    .join('\n')}`
  return shown(commands)
    .map(([id, command]) => section(id, command, exitHelp, shared))
    .join('\n\n')
}

function section(id, command, exitHelp, shared) {
  const flags = visible(command)
  const isShared = (flag) => shared.has(flagRow(flag).join())
  return [
    `## ${nameOf(id)}`,
    command.summary,
    ['```', usage(id, command, flags).slice(1, -1), '```'].join('\n'),
    paragraphs(command.description?.replace(exitHelp, '')),
    argumentTable(Object.values(command.args)),
    flagTable(flags.filter((flag) => !isShared(flag))),
    commonNames(flags.filter(isShared)),
    examples(command.examples),
  ]
    .filter((part) => part !== '')
    .join('\n\n')
}

const nameOf = (id) => `tillbox ${id.replaceAll(':', ' ')}`
const anchorOf = (id) => nameOf(id).replaceAll(' ', '-')

function usage(id, { args }, flags = []) {
  const names = Object.values(args).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))
  const needed = flags.filter(({ required }) => required).map(typed)
  return code([nameOf(id), ...names, ...needed].join(' '))
}

/** A paragraph with indented lines, such as a list of exit codes, is shown as it stands. */
const paragraphs = (text = '') =>
  text
    .trim()
    .split(/\n{2,}/)
    .map((one) => (/\n {2}/.test(one) ? `\`\`\`\n${one}\n\`\`\`` : plain(one)))
    .join('\n\n')

const commonNames = (flags) =>
  flags.length === 0
    ? ''
    : `[Common flags](#common-flags): ${flags.map(({ name }) => code(`--${name}`)).join(', ')}.`

const argumentTable = (args) =>
  args.length === 0
    ? ''
    : table(
        ['argument', 'meaning'],
        args.map(({ name, required, description, env, options }) => [
          code(name) + (required ? ' (required)' : ''),
          sentence(description, env, options),
        ]),
      )

const flagTable = (flags) => (flags.length === 0 ? '' : table(['flag', 'meaning'], flags.map(flagRow)))

function flagRow(flag) {
  const names = [flag.char && `-${flag.char}`, typed(flag), flag.allowNo && `--no-${flag.name}`].filter(
    Boolean,
  )
  return [
    names.map(code).join(', ') + (flag.required ? ' (required)' : ''),
    sentence(flag.summary ?? flag.description, flag.env, flag.options, flag.default),
  ]
}

const typed = ({ name, type, helpValue }) =>
  `--${name}${type === 'option' ? ` ${helpValue ?? '<value>'}` : ''}`

function sentence(description = '', env, options, preset) {
  return [
    plain(description),
    options && `One of ${options.map(code).join(', ')}.`,
    preset !== undefined && preset !== false && `Default: ${code(String(preset))}.`,
    env && `Environment: ${code(env)}.`,
  ]
    .filter(Boolean)
    .join(' ')
}

const examples = (list = []) =>
  list.length === 0
    ? ''
    : [
        '```sh',
        ...list.map((example) => (example.command ?? example).replaceAll('<%= config.bin %>', 'tillbox')),
        '```',
      ].join('\n')

/** Commands whose answer is a list, and the member that has it. */
export const jsonLists = (commands) =>
  [
    '\n| command | list under |\n|---|---|',
    ...Object.values(commands).flatMap(({ id, listMember }) =>
      listMember ? `| \`${id.replaceAll(':', ' ')}\` | \`${listMember}\` |` : [],
    ),
  ].join('\n')
