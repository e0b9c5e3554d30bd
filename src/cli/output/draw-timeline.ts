import type { Story, TransactionTree } from '../../contract/control/control-answers.ts'
import { amountText } from '../../contract/presentation/money.ts'
import {
  type Lane,
  type LaneName,
  type Sequence,
  type SequenceStep,
  sequenceOf,
} from '../../contract/presentation/sequence.ts'
import { stateInWords, typeInWords } from '../../contract/presentation/status.ts'
import { fitText } from '../../shared/text/display-width.ts'
import { shortDuration } from '../../shared/text/duration-words.ts'
import { cleaned } from './clean.ts'
import { renderRecord } from './render-record.ts'
import { paintStatus, type Theme, theme } from './theme.ts'

/** What happened to a transaction as a drawing, and what later transactions did to it as a tree. */
export function renderTimeline(rawStory: Story, width = 80, look = theme): string {
  const story = cleaned(rawStory)
  const original = story.originalTransactionId
  const actsOn = original === null ? '' : `${look.faint('original')} ${look.link(original)}\n`
  const clock = look.faint(`Times in ${story.timeZone}, by the sandbox clock`)
  const tree = story.expired ? { ...story.tree, leftToCapture: null } : story.tree
  return `${clock}\n${drawSequence(sequenceOf(story), width, look)}\n${drawTree(tree, look)}${actsOn}`
}

/** A transaction, and what happened to it. */
export const renderStory = (story: Story, width?: number): string =>
  `${renderRecord(story.record, story)}\n${renderTimeline(story, width)}`

/** A transaction and its follow-ups, with what is left of each. */
export function drawTree(
  branch: TransactionTree,
  theme: Theme,
  [first, further]: readonly [string, string] = ['', ''],
): string {
  const { type, amount, currency, status, resultCode, transactionId, followUps } = branch
  const money = (minorUnits: number) => amountText(minorUnits, currency)
  const code = status === 'FAIL' && resultCode !== null ? ` ${resultCode}` : ''
  const line = [
    `${theme.faint(first)}${theme.strong(typeInWords(type))}  ${money(amount)}`,
    paintStatus({ status }, stateInWords({ status }), theme) + code,
    theme.link(transactionId),
  ].join('  ')
  const remainder = remainderInWords(branch)
  const below = followUps.length > 0 ? '│ ' : '  '
  const remains = remainder === '' ? '' : `${theme.faint(further + below)} ${remainder}\n`
  const branches = followUps.map((each, index) =>
    drawTree(
      each,
      theme,
      index < followUps.length - 1 ? [`${further}├─ `, `${further}│  `] : [`${further}└─ `, `${further}   `],
    ),
  )
  return `${line}\n${remains}${branches.join('')}`
}

/** What is left of a transaction for its follow-ups, in words; empty where that says nothing. */
function remainderInWords({
  leftToRefund,
  leftToCapture,
  currency,
}: Omit<TransactionTree, 'followUps'>): string {
  const money = (minorUnits: number) => amountText(minorUnits, currency)
  if (leftToRefund !== null) return `${money(leftToRefund)} left to refund`
  return leftToCapture === null ? '' : `${money(leftToCapture)} left to capture`
}

/** Columns of the times before the lanes: clock, and time since the first step, up to `+59 min 59 s`. */
const timesWidth = 22

/** Columns from lane to lane. */
const [closest, widest] = [11, 20]

interface Plan {
  readonly width: number
  readonly columns: ReadonlyMap<LaneName, number>
  readonly lanes: readonly Lane[]
  readonly theme: Theme
}

/**
 * Draws a sequence in `width` columns: a lane for each participant, an arrow for each step, its text above
 * it. Where the lanes do not fit, each step is a line of text.
 */
export function drawSequence({ lanes, steps }: Sequence, width: number, theme: Theme): string {
  const room = Math.floor((width - timesWidth) / Math.max(lanes.length, 1))
  if (room < closest) return steps.map((step) => writeStep(step, lanes, width, theme)).join('')
  const apart = Math.min(room, widest)
  const columns = new Map(lanes.map(({ name }, index) => [name, timesWidth + 4 + index * apart]))
  const plan = { width, columns, lanes, theme }
  const lines = [heading(plan), ...steps.flatMap((step) => drawStep(step, plan)), lifelines(plan)]
  return lines.map((line) => `${line}\n`).join('')
}

function heading({ width, columns, lanes, theme }: Plan): CanvasLine {
  const line = new CanvasLine(width)
  for (const { name, label } of lanes)
    line.put((columns.get(name) ?? 0) - Math.floor(label.length / 2), label, theme.strong)
  return line
}

function lifelines({ width, columns, theme }: Plan): CanvasLine {
  const line = new CanvasLine(width)
  for (const column of columns.values()) line.put(column, '│', theme.faint)
  return line
}

/** The text, then the arrow with its time; a step within one lane is a mark. */
function drawStep(step: SequenceStep, plan: Plan): CanvasLine[] {
  const { theme, width } = plan
  const [from, to] = [plan.columns.get(step.from) ?? 0, plan.columns.get(step.to) ?? 0]
  const paint = stepPaint(step, theme)
  const start = Math.min(from, to) + 2
  const isMark = from === to
  const lines = [
    ...textLines(step.text, start, width, paint),
    ...(step.note === null ? [] : textLines(step.note, start, width, theme.faint)),
  ]
  const texts = lines.map(({ column, text, paint }) => lifelines(plan).put(column, text, paint))
  const isBeside = isMark && (lines.at(-1)?.column ?? 0) > from // where the text leaves room for it
  const last = (isBeside && texts.pop()) || lifelines(plan)
  if (isMark) last.put(from, '●', paint)
  else drawArrow(last, from, to, paint)
  return [
    ...texts,
    last.put(0, step.time.slice(11, 19), theme.faint).put(9, sinceText(step.since), theme.faint),
  ]
}

function drawArrow(line: CanvasLine, from: number, to: number, paint: Paint): void {
  const [left, right] = [Math.min(from, to), Math.max(from, to)]
  line.put(left + 1, '─'.repeat(right - left - 1), paint)
  if (from < to) line.put(from, '├', paint).put(right - 1, '▶', paint)
  else line.put(from, '┤', paint).put(left + 1, '◀', paint)
}

/** Lines of a text that begin at a column, or further left where it would be too narrow. */
function textLines(text: string, start: number, width: number, paint: Paint) {
  const column = Math.max(Math.min(start, width - Math.min(text.length, 24)), timesWidth)
  return fitText(text, width - column).map((line) => ({ column, text: line, paint }))
}

const stepPaint = ({ tone }: SequenceStep, { good, bad, open }: Theme): Paint =>
  tone === 'good' ? good : tone === 'bad' ? bad : tone === 'open' ? open : bare

const sinceText = (milliseconds: number): string =>
  `${milliseconds < 0 ? '−' : '+'}${shortDuration(Math.abs(milliseconds))}`

/** A step as text, for windows that are too narrow for lanes. */
function writeStep(step: SequenceStep, lanes: readonly Lane[], width: number, theme: Theme): string {
  const label = (name: LaneName) => lanes.find((lane) => lane.name === name)?.label ?? name
  const who = step.from === step.to ? label(step.from) : `${label(step.from)} → ${label(step.to)}`
  const head = `${theme.faint(`${step.time.slice(11, 19)} ${sinceText(step.since).padEnd(9)}`)} ${who}`
  const paint = stepPaint(step, theme)
  const room = Math.max(width - 2, 10)
  const texts = fitText(step.text, room).map((line) => `  ${paint(line)}`)
  const notes = (step.note === null ? [] : fitText(step.note, room)).map((line) => `  ${theme.faint(line)}`)
  return `${[head, ...texts, ...notes].join('\n')}\n`
}

/** Paints a text; the added characters take no room on the screen. */
type Paint = (text: string) => string

const bare: Paint = (text) => text

/** One line of a drawing with a fixed width: later text covers earlier text. */
export class CanvasLine {
  readonly #cells: [character: string, paint: Paint][]

  constructor(width: number) {
    this.#cells = Array.from({ length: width }, () => [' ', bare])
  }

  /** Puts a text at a column; what does not fit is cut. */
  put(column: number, text: string, paint: Paint = bare): this {
    for (const [index, character] of [...text].entries())
      if (column + index in this.#cells) this.#cells[column + index] = [character, paint]
    return this
  }

  /** The line without trailing blanks; neighbours with the same paint are painted together. */
  toString(): string {
    const shown = this.#cells.slice(0, this.#cells.findLastIndex(([character]) => character !== ' ') + 1)
    let [line, text] = ['', '']
    for (const [index, [character, paint]] of shown.entries()) {
      text += character
      if (shown[index + 1]?.[1] === paint) continue
      line += text.trim() === '' ? text : paint(text)
      text = ''
    }
    return line
  }
}
