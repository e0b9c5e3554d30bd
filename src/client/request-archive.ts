import { STATUS_CODES } from 'node:http'
import type { ControlAnswer } from '../contract/control/controls/controls.ts'
import type { RequestStory, ShownMessage } from '../contract/control/request-log-answers.ts'
import type { Members } from '../contract/validate.ts'
import { packageVersion } from '../shared/package-root.ts'
import { ServiceRefusal } from './read-envelope.ts'

/** Calls the control interface of a sandbox about its request log. */
type CallLog = <N extends 'requests' | 'request'>(
  name: N,
  members?: Members,
  names?: Readonly<Record<string, string>>,
) => Promise<ControlAnswer<N>>

/**
 * The requests of the log in full, the newest last, without those that it drops meanwhile. `since`:
 * wall-clock time in milliseconds of the oldest.
 */
export async function requestsInFull(call: CallLog, wanted: Members, since = 0): Promise<RequestStory[]> {
  const { requests } = await call('requests', wanted)
  const stories = []
  for (const { traceId } of requests.filter(({ at }) => at >= since)) {
    const story = await call('request', undefined, { traceId }).catch((error: unknown) => {
      if (error instanceof ServiceRefusal && error.envelope.code === 'SBX_REQ_NONE') return undefined
      throw error
    })
    if (story !== undefined) stories.push(story)
  }
  return stories
}

/**
 * Requests as an HTTP Archive 1.2, which browsers and proxies read. What the log does not keep is -1 or empty
 * there, and what it hid stays hidden. http://www.softwareishard.com/blog/har-12-spec/ assumption:
 * request-log
 */
export const requestArchive = (requests: readonly RequestStory[], baseUrl: string) => ({
  log: {
    version: '1.2',
    creator: { name: 'tillbox', version: packageVersion() },
    entries: requests.map((request) => archiveEntry(request, baseUrl)),
  },
})

function archiveEntry(story: RequestStory, baseUrl: string) {
  const { at, durationMs, method, status, traceId, transactionId, request, answer, notes, times } = story
  const asked = story.url || `${baseUrl}${story.path}`
  const url = new URL(URL.canParse(asked) ? asked : baseUrl)
  const repeated = times > 1 ? [`${times} equal look-ups in a row`] : []
  const comment = [...notes, ...repeated].join('; ')
  return {
    startedDateTime: new Date(at).toISOString(),
    time: durationMs,
    request: {
      ...archiveMessage(request),
      method,
      url: url.href,
      queryString: [...url.searchParams].map(([name, value]) => ({ name, value })),
      ...(request.body !== '' && { postData: { mimeType: contentType(request), text: request.body } }),
    },
    response: {
      ...archiveMessage(answer),
      status,
      statusText: STATUS_CODES[status] ?? '',
      content: { size: Buffer.byteLength(answer.body), mimeType: contentType(answer), text: answer.body },
      redirectURL: headerValue(answer, 'location'),
    },
    cache: {},
    timings: { send: 0, wait: durationMs, receive: 0 },
    ...(comment !== '' && { comment }),
    _traceId: traceId,
    _transactionId: transactionId,
  }
}

const archiveMessage = ({ headers, body, cut }: ShownMessage) => ({
  httpVersion: 'HTTP/1.1',
  cookies: [],
  headers: headers.map(([name, value]) => ({ name, value })),
  headersSize: -1,
  bodySize: cut ? -1 : Buffer.byteLength(body),
})

const headerValue = ({ headers }: ShownMessage, wanted: string): string =>
  headers.find(([name]) => name.toLowerCase() === wanted)?.[1] ?? ''

const contentType = (message: ShownMessage): string => headerValue(message, 'content-type')
