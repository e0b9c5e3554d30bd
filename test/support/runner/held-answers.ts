/** Answers of sandboxes in this process, held against the OpenAPI document when the test is over (hold-answers.ts). */

import { misdirectedStatus } from '../../../src/http/node-to-node.ts'

/** An answer as it left. */
export interface NotedAnswer {
  readonly method: string
  readonly url: string
  readonly status: number
  readonly type: string | null
  /** Empty for a stream. */
  readonly text: string
}

let answers: NotedAnswer[] = []
let count = 0
let earlier: Promise<readonly string[]> = Promise.resolve([])

/** Most answers that are kept: a test may have millions. */
const maxAnswers = 500

/** Notes an answer. It is looked at later, so that looking does not slow it down. */
export function noteAnswer(answer: NotedAnswer): void {
  answers.push(answer)
  count += 1
  if (answers.length < maxAnswers) return
  const [before, now] = [earlier, problemsIn(answers)]
  answers = []
  earlier = Promise.all([before, now]).then((all) => all.flat())
}

/** How many answers this process has noted. */
export const notedAnswers = (): number => count

/** How what was noted since the last call differs from the document. */
export async function takeProblems(): Promise<readonly string[]> {
  const [before, now] = [earlier, problemsIn(answers)]
  answers = []
  earlier = Promise.resolve([])
  return [...(await before), ...(await now)]
}

/** Without answers nothing is loaded. */
async function problemsIn(answers: readonly NotedAnswer[]): Promise<readonly string[]> {
  if (answers.length === 0) return []
  const { undescribed } = await import('../openapi/described.ts')
  return answers.flatMap((answer) => {
    if (isInjected(answer) || isForNode(answer)) return []
    const { method, url, status, type } = answer
    const problems = undescribed(method, url, { status, type, body: bodyOf(answer) })
    return problems.length === 0 ? [] : [`${method} ${url}`, ...problems.map((each) => `  ${each}`)]
  })
}

function bodyOf({ text, type }: NotedAnswer): unknown {
  if (!type?.startsWith('application/json')) return text
  try {
    return JSON.parse(text)
  } catch {
    return text // which fits no schema of JSON
  }
}

/** True for what only another node reads: that a request is for another sandbox (src/http/node-to-node.ts). */
const isForNode = ({ status, text }: NotedAnswer): boolean => status === misdirectedStatus && text === ''

/** True for what goes on after its head: events, or a file of lines. */
export const isStreamType = (type: string): boolean =>
  /^(text\/event-stream|application\/x-ndjson)/.test(type)

/**
 * True for what only an injected fault of the payment API sends whole: nothing at all, or the page of a proxy. The other
 * faults send no whole answer, or one as the document has it (docs/faults.md).
 */
const isInjected = ({ url, type, text }: NotedAnswer): boolean =>
  /^(https?:\/\/[^/]+)?\/v1\//.test(url) &&
  (text === '' || (type === 'text/html' && text.includes('<hr>proxy')))
