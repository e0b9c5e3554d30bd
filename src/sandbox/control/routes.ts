import type { Hono } from 'hono'
import type { Control } from '../../contract/control/control.ts'
import { type AnsweredControl, controls, type StreamName } from '../../contract/control/controls/controls.ts'
import { rejectField } from '../../contract/errors.ts'
import { validate } from '../../contract/validate.ts'
import { type AnswerContext, answer, type HandlerResult } from '../answering/answer.ts'
import { type Body, limitLength, membersOfQuery, readBody, readMembers } from '../http/body.ts'
import type { Call, Env } from '../http/call.ts'
import { guardOrigin } from '../http/origin.ts'
import type { LoggedExchange } from '../request-log/log-request.ts'
import type { ControlContext } from './control-context.ts'
import { controlHandlers, controlStreams } from './handlers.ts'

type ControlRoutesContext = ControlContext & AnswerContext

/** Serves each row of the control table. `host`: the address the sandbox is bound to, as a URL writes it. */
export function serveControls(app: Hono<Env>, context: ControlRoutesContext, host: string): void {
  for (const [name, { method, path }] of Object.entries(controls))
    app.on(method, path, (call) =>
      name in controlStreams
        ? stream(context, call, name as StreamName, host)
        : answer(context, call, null, (exchange) =>
            control(context, call, name as AnsweredControl, host, exchange),
          ),
    )
}

async function stream(context: ControlRoutesContext, call: Call, name: StreamName, host: string) {
  try {
    guardOrigin(call, host)
    const input =
      name === 'listen' ? validate(controls.listen, readMembers(await readBody(call)).members) : {}
    const send = controlStreams[name] as (
      context: ControlContext,
      call: Call,
      input: object,
    ) => Response | Promise<Response>
    return await send(context, call, input)
  } catch (error) {
    return answer(context, call, null, () => Promise.reject(error), 'rest') // HTTP 200 would look like a stream
  }
}

/** The body of a control request; it may be absent. */
async function readLoggedBody(call: Call, exchange: LoggedExchange): Promise<Body> {
  const body = await readBody(call)
  exchange.body = body.text
  return body.text === '' ? { ...body, text: '{}' } : body
}

async function control(
  context: ControlRoutesContext,
  call: Call,
  name: AnsweredControl,
  host: string,
  exchange: LoggedExchange,
): Promise<HandlerResult> {
  const row: Control = controls[name]
  if (row.body !== 'file') limitLength(call)
  guardOrigin(call, host)
  const hasBody = row.method !== 'GET' && row.body !== 'file' && Object.keys(row.input.entries).length > 0
  const {
    members,
    odd: [odd],
  } = hasBody ? readMembers(await readLoggedBody(call, exchange)) : membersOfQuery(call)
  if (odd !== undefined) rejectField(odd.field, odd.reason)
  const input = validate(row, members)
  const handle = controlHandlers[name] as (
    context: ControlContext,
    input: object,
    call: Call,
  ) => Promise<object> | object
  return { data: await handle(context, input, call), notes: [] }
}
