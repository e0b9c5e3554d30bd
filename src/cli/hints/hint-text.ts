import { replaceCommands } from '../../shared/text/commands.ts'
import { glue, wrapText } from '../../shared/text/display-width.ts'
import { theme } from '../output/theme.ts'
import { commandHint } from './same-sandbox.ts'

/** A hint, wrapped to the window; a command in it stays one line. */
export const hintText = (text: string, { width } = theme): string =>
  wrapText(
    replaceCommands(text, (each) => gluedCommand(each)),
    width,
  ).join('\n')

/** A command for the same sandbox that no wrapping breaks. */
export const gluedCommand = (command: string): string => commandHint(command).replaceAll(' ', glue)

/** A command to copy, indented; however long, it stays one line. */
export const commandText = (command: string, look = theme): string => `  ${look.link(commandHint(command))}`
