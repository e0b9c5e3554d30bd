import type {
  RequestStory,
  RequestSummary,
  ShownMessage,
} from '../../contract/control/request-log-answers.ts'
import { clip, fitText, pad } from '../../shared/text/display-width.ts'
import { commandHint, hint } from '../hints/same-sandbox.ts'
import { cleaned, cleanLines } from './clean.ts'
import { indentedJson } from './json-text.ts'
import { clockTime } from './render-time.ts'
import { pairs } from './table.ts'
import { theme } from './theme.ts'

const otherColumns = 63

/** Columns of the operation or the path at least. */
const narrowest = 17

/** And at most, in a window: paths of the control interface are as long. */
const widest = 44

const traceIdLength = 37

/**
 * A request in one line: time, method, operation or path, status, code, duration, transaction; below a
 * refused one, the reason and remedy. `width`: columns of the terminal; by default unlimited.
 */
export function renderRequestLine(summary: RequestSummary, width = Number.POSITIVE_INFINITY): string {
  const request = cleaned(summary)
  const { at, method, status, code, durationMs, transactionId, refusal, fault, notes } = request
  const answer = `${status} ${code === '0' ? 'accepted' : code}`.padEnd(20)
  const wide = width >= otherColumns + narrowest + traceIdLength
  const line = [
    theme.faint(clockTime(at)),
    method.padEnd(5),
    cutToFit(request.operation ?? request.path, width - otherColumns - (wide ? traceIdLength : 0)),
    refusal === null ? theme.good(answer) : theme.bad(answer),
    theme.faint(`${durationMs.toFixed(1)} ms`.padStart(8)),
    theme.link(pad(transactionId ?? '', wide ? 16 : 0)),
    wide ? theme.faint(request.traceId) : '',
  ].join(' ')
  const trace = wide ? [] : [['trace', request.traceId]]
  const reasons =
    refusal === null
      ? notes.map((note) => ['note', hint(note)])
      : [
          ['why', refusalReason(refusal)],
          ['do', hint(refusal.remedy)],
          ...refusal.others.map((other) => ['also', refusalReason(other)]),
          ...trace,
        ]
  const injected = fault === null ? [] : [['fault', injectedText(request)]]
  const again = hasRepeats(request) ? [['again', repeatedText(request)]] : []
  const below = [...again, ...injected, ...reasons].map(([name = '', text = '']) =>
    reason(name, text, width - 16),
  )
  return `${line.trimEnd()}\n${below.join('')}`
}

/** How often a request was repeated after it was printed; it names the operation: lines lie between. */
export function renderRepeated(summary: RequestSummary, width = Number.POSITIVE_INFINITY): string {
  const request = cleaned(summary)
  const what = [request.operation ?? request.path, request.transactionId].filter(Boolean).join(' ')
  return reason('again', `${what}: ${repeatedText(request)}`, width - 16)
}

const hasRepeats = ({ times }: Pick<RequestSummary, 'times'>): boolean => times > 1

/** `13 times more, until 12:38:40`. */
function repeatedText({ times, at, lastAt }: Pick<RequestSummary, 'times' | 'at' | 'lastAt'>): string {
  const more = times - 1
  return `${more === 1 ? 'once' : `${more} times`} more, until ${clockTime(lastAt ?? at)}`
}

/** The injected fault; and that nothing was changed, or that the log has the answer without it. */
const injectedText = ({ fault, code }: Pick<RequestSummary, 'fault' | 'code'>): string =>
  `injected: ${fault}${code === 'SBX_INJECTED' ? '; nothing was changed' : '; the answer is the one without it'}`

function cutToFit(text: string, room: number): string {
  const most = Math.max(room, narrowest)
  const width = Math.min(most, room === Number.POSITIVE_INFINITY ? narrowest : widest)
  return pad(clip(text, most), width)
}

function refusalReason({
  message,
  field,
  detail,
}: Pick<NonNullable<RequestSummary['refusal']>, 'message' | 'field' | 'detail'>): string {
  if (detail === null) return message
  return `${message} (${[field, detail].filter((each) => each !== null).join(': ')})`
}

const reason = (name: string, text: string, room: number): string =>
  fitText(text, Math.max(room, 20))
    .map((line, index) => `${' '.repeat(10)}${theme.faint((index === 0 ? name : '').padEnd(6))}${line}\n`)
    .join('')

/** A request in full, with its answer, as curl and as a command. */
export function renderRequestStory(whole: RequestStory): string {
  const { request, answer, curl, command, ...others } = whole
  const story = cleaned(others)
  const { method, path, url, status, code, refusal } = story
  const mark = refusal === null ? theme.good('✓') : theme.bad('✗')
  const head = `${mark} ${theme.strong(`${method} ${url === '' ? path : url}`)}`
  const facts = pairs([
    ['fault', story.fault && theme.open(injectedText(story))],
    ['answer', `${status} ${code}`],
    ['why', refusal?.message],
    ['field', refusal?.field],
    ['exactly', refusal?.detail],
    ['do', refusal && hint(refusal.remedy)],
    ['also', refusal?.others.map((other) => `${refusalReason(other)}. ${hint(other.remedy)}`).join('\n')],
    ['repeated', hasRepeats(story) ? repeatedText(story) : undefined],
    ['notes', refusal === null ? hint(story.notes.join('; ')) : undefined],
    ['operation', story.operation],
    ['transaction', story.transactionId && theme.link(story.transactionId)],
    ['at', `${new Date(story.at).toISOString()}  ${theme.faint(`${story.durationMs.toFixed(1)} ms`)}`],
    ['traceId', story.traceId],
  ])
  const parts = [
    head,
    facts,
    section('request', messageText(request)),
    section('answer', messageText(answer)),
    section('as curl', curl ?? ''),
    section('as a command', command === null ? '' : commandHint(command)),
  ]
  return `${parts.filter((part) => part !== '').join('\n')}\n`
}

const section = (title: string, text: string): string =>
  text === '' ? '' : `\n${theme.faint(title)}\n${cleanLines(text)}`

function messageText({ headers, body, cut }: ShownMessage): string {
  const lines = cleaned(headers).map(([name, value]) => `${name}: ${value}`)
  if (body !== '') lines.push('', indentedJson(body))
  if (cut) lines.push('(only the beginning was kept)')
  return lines.join('\n')
}
