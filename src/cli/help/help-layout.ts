import { displayWidth, widestOf } from '../../text/display-width.ts'
import { commandLines, wrapText } from '../../text/wrap.ts'
import type { Theme } from '../output/theme.ts'

/** How a page of the help looks: `theme.width` is that of the page. */
export type HelpTheme = Pick<Theme, 'strong' | 'link' | 'faint' | 'width'>

/** A name and what it is; the name has no colour yet. */
export type HelpRow = readonly [name: string, text: string]

/** Columns before the body of a section, and between the columns of a list. */
const [indent, gap] = [2, 2]

/** Lines that a text beside its name may take; a list with a longer one has every text below its name. */
const mostBeside = 5

/** Fewest columns of a text beside its name. */
const narrowest = 30

/** A section with its title above. */
export const section = (title: string, lines: readonly string[], look: HelpTheme): string =>
  [look.strong(title), ...lines.map((line) => `${' '.repeat(indent)}${line}`.trimEnd())].join('\n')

/** A text between words, with its flags tinted; a line that is indented hangs a step further. */
export const prose = (text: string, look: HelpTheme, room = look.width - indent): string[] =>
  text.split('\n').flatMap((line) => {
    const before = line.length - line.trimStart().length
    const lines = wrapText(tinted(line.trimStart(), look), room - (before === 0 ? 0 : before + indent))
    return lines.map(
      (each, index) => `${' '.repeat(index === 0 || before === 0 ? before : before + indent)}${each}`,
    )
  })

/** Flags as they stand in a text; not the values of one. */
const tinted = (text: string, { link }: HelpTheme): string =>
  text.replace(/(?<![\w-])--[a-z][a-z-]*[a-z]/g, (flag) => link(flag))

/** Columns of the longest name. */
export const nameWidth = (rows: readonly HelpRow[]): number => widestOf(rows.map(([name]) => name))

/** A list in two columns; with the texts below where there is no room beside. `names`: columns of the names. */
export function helpRows(rows: readonly HelpRow[], look: HelpTheme, names = nameWidth(rows)): string[] {
  const room = look.width - indent - names - gap
  const beside = rows.map(([name, text]) => [name, prose(text, look, room)] as const)
  if (room < narrowest || beside.some(([, lines]) => lines.length > mostBeside))
    return rows
      .flatMap(([name, text]) => [
        ...wrapText(name, look.width - indent).map((line) => look.link(line)),
        ...prose(text, look, look.width - 3 * indent).map((line) => `${' '.repeat(2 * indent)}${line}`),
        '',
      ])
      .slice(0, -1)
  return beside.flatMap(([name, [first = '', ...more]]) => [
    `${look.link(name)}${' '.repeat(names - displayWidth(name) + gap)}${first}`,
    ...more.map((line) => `${' '.repeat(names + gap)}${line}`),
  ])
}

/** A command as it is typed, over lines that a shell takes for one. */
export const typedCommand = (command: string, look: HelpTheme): string[] =>
  commandLines(command, look.width - indent - 2).map(
    (line, index) => `${index === 0 ? look.faint('$ ') : '  '}${look.link(line)}`,
  )
