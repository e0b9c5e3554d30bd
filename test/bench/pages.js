// What is asked of a sandbox page by page: each answer is timed alone.
import { answerTo } from './processes.js'
import { loads } from './requests.js'

/** Rows of the file of which the making is timed. */
const exported = 1_000

/** What is asked for, by name: the address, from the oldest sale that is stored, and what the answer must hold. */
export const pages = {
  'first page': { path: () => '/', holds: 'Approval rate' },
  'declined only': { path: () => '/?status=declined', holds: 'Approval rate' },
  'search by id': { path: ({ id }) => `/?q=${id}`, holds: 'Approval rate' },
  'search by order': { path: ({ order }) => `/?q=${order}`, holds: 'Approval rate' },
  'search by half a word': { path: () => '/?q=hono', holds: 'Approval rate' },
  [`export of ${exported} rows`]: { path: () => '/transactions.csv', rows: exported },
}

/** The newest 50 transactions, as `tillbox list` asks for them. */
export const list = { path: () => '/_sandbox/transactions', holds: '"transactions":[{' }

/** Milliseconds until an answer is there, or so many rows of a file. Errors: Error for another answer. */
export async function timeOfPage({ port, oldest }, { path, holds, rows }) {
  const started = performance.now()
  const { status, body } = await fetch(`http://127.0.0.1:${port}${path(oldest)}`)
  const decoder = new TextDecoder()
  let text = ''
  for await (const chunk of body) {
    text += decoder.decode(chunk, { stream: true })
    if (rows !== undefined && text.split('\n').length > rows) break
  }
  const isThere = rows === undefined ? text.includes(holds) : text.split('\n').length > rows
  if (status !== 200 || !isThere) throw new Error(`${path(oldest)} does not show its list`)
  return performance.now() - started
}

/** Milliseconds of a sale. */
export async function pay(server) {
  const started = performance.now()
  await answerTo(server, loads.sale(server)[0])
  return performance.now() - started
}
