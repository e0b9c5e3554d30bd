import { control, type Target } from '../client/client.ts'
import type { Members } from '../client/request/service-request.ts'
import type { AnsweredControl, ControlAnswer } from '../contract/sandbox/controls/controls.ts'

/** Where the sandbox is; the key names the application that asks. */
export type Address = Pick<Target, 'baseUrl' | 'ca' | 'token' | 'apiKey'>

/** Calls the control interface of one sandbox. */
export type CallControl = <N extends AnsweredControl>(
  name: N,
  members?: Members,
  names?: Readonly<Record<string, string>>,
  timeout?: number,
) => Promise<ControlAnswer<N>>

/** Members of a request that were left out, or given as undefined, are not sent. */
export const callerOf =
  (address: Address): CallControl =>
  (name, members, names = {}, timeout) =>
    control(address, name, members, { names, apiKey: address.apiKey, timeout })
