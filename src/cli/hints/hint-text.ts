import { commandLines, displayWidth, wrapText } from '../../text/display-width.ts'
import { theme } from '../output/theme.ts'
import { commandHint, hint } from './same-sandbox.ts'

/** A hint, wrapped to the window; a command at its end gets its own line if it does not fit. */
export function hintText(text: string, { width } = theme): string {
  const sentence = hint(text)
  const [, before = '', last = ''] = /^(.*:) `([^`]*)`$/s.exec(text) ?? []
  if (last === '' || displayWidth(sentence) <= width) return wrapText(sentence, width).join('\n')
  const command = commandLines(commandHint(last), width - 2).map((line) => `  ${line}`)
  return [...wrapText(hint(before), width), ...command].join('\n')
}

/** A command to copy, in indented lines that a shell takes for one. */
export const commandText = (command: string, look = theme): string =>
  commandLines(commandHint(command), look.width - 2)
    .map((line) => `  ${look.link(line)}`)
    .join('\n')
