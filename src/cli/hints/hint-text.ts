import { commandLines, displayWidth, wrapText } from '../../text/display-width.ts'
import type { Theme } from '../output/theme.ts'
import { commandHint, hint } from './same-sandbox.ts'

type HintTheme = Pick<Theme, 'width' | 'link'>

/** A hint, wrapped to the window; a command at its end gets its own line if it does not fit. */
export function hintText(text: string, theme: HintTheme): string {
  const sentence = hint(text)
  const [, before = '', last = ''] = /^(.*:) `([^`]*)`$/s.exec(text) ?? []
  if (last === '' || displayWidth(sentence) <= theme.width) return wrapText(sentence, theme.width).join('\n')
  const command = commandLines(commandHint(last), theme.width - 2).map((line) => `  ${line}`)
  return [...wrapText(hint(before), theme.width), ...command].join('\n')
}

/** A command to copy, in indented lines that a shell takes for one. */
export const commandText = (command: string, theme: HintTheme): string =>
  commandLines(commandHint(command), theme.width - 2)
    .map((line) => `  ${theme.link(line)}`)
    .join('\n')
