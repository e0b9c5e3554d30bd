import { once } from 'node:events'
import { get, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { onTestFinished } from 'vitest'

/** A stream of server-sent events, read one by one. */
export interface Live {
  readonly headers: IncomingHttpHeaders
  /** Data of the next event; waits for it. */
  next(): Promise<string>
}

/** Opens a stream; it is closed after the test. */
export async function liveOf(url: string): Promise<Live> {
  const request = get(url, { agent: false })
  onTestFinished(() => void request.destroy())
  const [response] = (await once(request, 'response')) as [IncomingMessage]
  let text = ''
  response.setEncoding('utf8').on('data', (chunk: string) => {
    text += chunk // also while nobody waits for it
  })
  const next = async (): Promise<string> => {
    for (;;) {
      const end = text.indexOf('\n\n')
      if (end < 0) {
        await once(response, 'data')
        continue
      }
      const lines = text.slice(0, end).split('\n')
      text = text.slice(end + 2)
      const data = lines.filter((line) => line.startsWith('data:')).map((line) => line.slice(5).trimStart())
      if (data.length > 0) return data.join('\n')
    }
  }
  return { headers: response.headers, next }
}
