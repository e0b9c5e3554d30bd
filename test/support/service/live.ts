import { once } from 'node:events'
import { get, type IncomingMessage } from 'node:http'
import { expect, onTestFinished } from 'vitest'

/** Opens a stream of server-sent events; it is closed after the test. */
export async function liveOf(url: string) {
  const request = get(url, { agent: false })
  onTestFinished(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  /** Every event until now, as it was written. */
  const pushes: string[] = []
  let [rest, read] = ['', 0]
  response.setEncoding('utf8').on('data', (chunk: string) => {
    const messages = (rest + chunk).split('\n\n')
    rest = messages.pop() ?? ''
    pushes.push(...messages.filter((message) => !message.startsWith(':')))
  })
  response.on('error', () => undefined) // it is cut off at the end
  const dataOf = (push: string) =>
    push.split('\n').flatMap((line) => (line.startsWith('data:') ? [line.slice(5).trimStart()] : []))
  /** Data of the next event; waits for it. */
  const next = async (): Promise<string> => {
    while (pushes.length === read) await once(response, 'data')
    const data = dataOf(pushes[read++] ?? '')
    return data.length > 0 ? data.join('\n') : next()
  }
  /** The first event that fits; waits for it. */
  const until = async (fits: (push: string) => boolean): Promise<string> => {
    await expect.poll(() => pushes.some(fits), { timeout: 60_000 }).toBe(true)
    return pushes.find(fits) ?? ''
  }
  return { headers: response.headers, pushes, next, until }
}
