import { createApp } from '../../src/sandbox/app.ts'
import { isStream, noteAnswer } from './held-answers.ts'

type App = Pick<ReturnType<typeof createApp>, 'fetch' | 'request' | 'routes'>

interface AskedApp extends App {
  /** Sends a request and reads the whole answer, which costs less than a response that can be read again. */
  ask(target: string, init: RequestInit): Promise<{ status: number; headers: Headers; text: string }>
}

/** The app of a sandbox without a port: each answer is noted, to be held against the OpenAPI document. Takes what `createApp` takes. */
export function appOf(...given: Parameters<typeof createApp>): AskedApp {
  const app = createApp(...given)
  const noting = async (method: string, url: string, answered: Response | Promise<Response>) => {
    const response = await answered
    const type = response.headers.get('content-type')
    const text = isStream(type ?? '') ? '' : await response.clone().text()
    noteAnswer({ method, url, status: response.status, type, text })
    return response
  }
  return {
    routes: app.routes,
    ask: async (target, init) => {
      const response = await app.request(target, init)
      const { status, headers } = response
      const text = await response.text()
      noteAnswer({
        method: init.method ?? 'GET',
        url: target,
        status,
        type: headers.get('content-type'),
        text,
      })
      return { status, headers, text }
    },
    fetch: (request, ...rest) => noting(request.method, request.url, app.fetch(request, ...rest)),
    request: (input, init, ...rest) => {
      const [method, url] =
        input instanceof Request ? [input.method, input.url] : [init?.method ?? 'GET', String(input)]
      return noting(method, url, app.request(input, init, ...rest))
    },
  }
}
