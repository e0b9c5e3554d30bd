import { createApp } from '../../../src/server/sandbox/handler.ts'
import { type Answered, isStreamType, undescribed } from '../openapi/described.ts'

type App = ReturnType<typeof createApp>

type Environment = Parameters<App['fetch']> extends [Request, ...infer More] ? More : never

/** The app, with short ways to send a request. */
interface TestApp extends App {
  request(target: string | Request, init?: RequestInit, ...more: Environment): Promise<Response>
  /** Sends a request and reads the whole answer, which costs less than a response that can be read again. */
  ask(target: string, init: RequestInit): Promise<{ status: number; headers: Headers; text: string }>
}

/**
 * The app of a sandbox without a port. An answer that is not as the OpenAPI document says fails the request. Takes what
 * `createApp` takes.
 */
export function appOf(...given: Parameters<typeof createApp>): TestApp {
  const app = createApp(...given)
  const fetch = async (request: Request, ...more: Environment) => {
    const { method, url } = request
    const response = await app.fetch(request, ...more)
    const type = response.headers.get('content-type')
    const text = isStreamType(type ?? '') ? '' : await response.clone().text()
    expectDescribed(method, url, { status: response.status, type, text })
    return response
  }
  return {
    routes: app.routes,
    fetch,
    request: (target, init, ...more) =>
      fetch(target instanceof Request ? target : requestTo(target, init), ...more),
    ask: async (target, init) => {
      const response = await app.fetch(requestTo(target, init))
      const { status, headers } = response
      const text = await response.text()
      expectDescribed(init.method ?? 'GET', target, { status, type: headers.get('content-type'), text })
      return { status, headers, text }
    },
  }
}

function expectDescribed(method: string, url: string, answered: Answered): void {
  const problems = undescribed(method, url, answered)
  if (problems.length > 0)
    throw new Error(`${method} ${url}: the OpenAPI document says otherwise:\n${problems.join('\n')}`)
}

const requestTo = (target: string, init?: RequestInit) =>
  new Request(/^https?:/.test(target) ? target : `http://localhost${target.replace(/^(?!\/)/, '/')}`, init)
