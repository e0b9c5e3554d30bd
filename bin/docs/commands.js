import { code, plain } from './markdown.js'

/** The commands that help lists, each as it is typed, with its sentence. */
export const commandList = (commands) =>
  Object.entries(commands)
    .filter(([, { hidden }]) => !hidden)
    .map(([id, command]) => `- ${code(usage(id, command))}: ${plain(command.summary)}`)
    .join('\n')

/** How the command is typed: its name, its arguments and the flags that it needs. */
function usage(id, command) {
  const args = Object.values(command.args).map(({ name, required }) => (required ? `<${name}>` : `[${name}]`))
  const needed = visible(command).filter(({ required }) => required)
  return [id.replaceAll(':', ' '), ...args, ...needed.map(typed)].join(' ')
}

const visible = ({ flags }) => Object.values(flags).filter(({ hidden }) => !hidden)

const typed = ({ name, type, helpValue }) =>
  `--${name}${type === 'option' ? ` ${helpValue ?? '<value>'}` : ''}`

/** Commands whose answer is a list, and the member that has it. */
export const jsonLists = (commands) =>
  Object.values(commands)
    .flatMap(({ id, listMember }) =>
      listMember ? `- \`${id.replaceAll(':', ' ')}\`: \`${listMember}\`` : [],
    )
    .join('\n')
