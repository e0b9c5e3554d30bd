import { createApp } from '../../src/sandbox/app.ts'
import { isStream, noteAnswer } from './held-answers.ts'

type App = ReturnType<typeof createApp>

/** The app, with a short way to send a request. */
interface AskedApp extends App {
  request(target: string | Request, init?: RequestInit, ...more: Environment): Promise<Response>
}

type Environment = Parameters<App['fetch']> extends [Request, ...infer More] ? More : never

/** The app of a sandbox without a port: each answer is noted, to be held against the OpenAPI document. Takes what `createApp` takes. */
export function appOf(...given: Parameters<typeof createApp>): AskedApp {
  const { fetch: answer, routes } = createApp(...given)
  const fetch = async (request: Request, ...more: Environment) => {
    const { method, url } = request
    const response = await answer(request, ...more)
    const type = response.headers.get('content-type')
    const text = isStream(type ?? '') ? '' : await response.clone().text()
    noteAnswer({ method, url, status: response.status, type, text })
    return response
  }
  const requestOf = (target: string | Request, init?: RequestInit) =>
    target instanceof Request
      ? target
      : new Request(`http://localhost${target.startsWith('/') ? '' : '/'}${target}`, init)
  return {
    routes,
    fetch,
    request: (target, init, ...more) => fetch(requestOf(target, init), ...more),
  }
}
