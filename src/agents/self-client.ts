import { Unreachable } from '../client/http.ts'
import { lostAnswerOr } from '../client/lost-answer.ts'
import { acceptedData } from '../client/read-envelope.ts'
import { madeMembers, urlAndBody } from '../client/request/service-request.ts'
import {
  type AnsweredControl,
  type ControlAnswer,
  controlPath,
  controls,
} from '../contract/control/controls/controls.ts'
import { sandboxHeaders, userAgents } from '../contract/headers.ts'
import { memberSchemas } from '../contract/operation-members.ts'
import { isLookUp, type OperationName, operations } from '../contract/operations.ts'
import type { Members } from '../contract/validate.ts'
import type { Call } from '../sandbox/http/call.ts'
import { type OwnCall, type SendToSelf, sendToSelf } from '../sandbox/http/send-to-self.ts'
import type { CallControl } from '../testing/helpers/caller.ts'
import type { McpContext } from './mcp-context.ts'

/** A client of the sandbox that it is in, with the rights of the caller. */
export interface SelfClient {
  /** Calls the control interface. */
  readonly control: CallControl
  /**
   * Calls an operation as the application and merchant that the members name, or the first ones; ids that are
   * left out are made. `outcome`: by name; `fault`: injected into the answer. Errors: ServiceRefusal;
   * LostAnswer where a fault ate the answer.
   */
  operation(
    name: OperationName,
    members: Members,
    options?: {
      readonly outcome?: string | undefined
      readonly fault?: string | undefined
      /** Told what the answer notes. */
      readonly noted?: (note: string) => void
    },
  ): Promise<Members>
}

/** `agent`: name of the MCP client, for the log and the audit. */
export function selfClient(context: McpContext, call: Call, send: SendToSelf, agent: string): SelfClient {
  const exchange = async (
    method: string,
    path: string,
    members: Members | undefined,
    more: Partial<OwnCall>,
  ) => {
    const { url, body = '' } = urlAndBody(method, 'http://sandbox', path, members)
    const request = { method, target: url.pathname + url.search, body, agent, ...more }
    const response = await sendToSelf(send, call, { ...request, userAgent: `${userAgents.mcp} (${agent})` })
    if (response.type === 'error') throw new Unreachable(path, 'an injected fault closed the connection')
    const headers = Object.fromEntries(response.headers)
    return { url, answer: { status: response.status, headers, body: await response.text() } }
  }
  return {
    control: async <N extends AnsweredControl>(
      name: N,
      members?: Members,
      names: Readonly<Record<string, string>> = {},
    ) => {
      const { method, answer: shape } = controls[name]
      const { url, answer } = await exchange(method, controlPath(name, names), members, {})
      return acceptedData(url, answer, shape) as ControlAnswer<N>
    },
    operation: async (name, input, { outcome, fault, noted } = {}) => {
      const { method, path, answer: shape } = operations[name]
      const { appId, key } = callingApplication(context, input)
      const withParties = { ...defaultParties(context, name, appId), ...input }
      const members: Members = { ...withParties, ...madeMembers(name, withParties) }
      const headers = {
        ...(outcome !== undefined && { [sandboxHeaders.outcome]: outcome }),
        ...(fault !== undefined && { [sandboxHeaders.fault]: fault }),
      }
      const service = { key, now: context.clock.wall() }
      try {
        const { url, answer } = await exchange(method, path, members, { service, headers })
        const note = answer.headers[sandboxHeaders.note.toLowerCase()]
        if (note !== undefined) noted?.(note)
        return acceptedData(url, answer, shape) as Members
      } catch (error) {
        throw isLookUp(name) ? error : lostAnswerOr(error as Error, name, members)
      }
    },
  }
}

/** The application that the members name, else the first one, and its key. */
function callingApplication({ directory }: McpContext, { appId }: Members) {
  const named = typeof appId === 'string' ? directory.applicationNamed(appId) : undefined
  const application = named ?? directory.defaultApplication
  return { appId: application.appId, key: directory.currentKey(application) }
}

/** Application and first merchant of it, for what takes them. */
function defaultParties({ directory }: McpContext, name: OperationName, appId: string): Members {
  const entries = memberSchemas(name)
  const [merchant] = directory.applicationNamed(appId)?.merchants ?? []
  return {
    ...('appId' in entries && { appId }),
    ...('merchantId' in entries && { merchantId: merchant?.merchantId }),
  }
}
