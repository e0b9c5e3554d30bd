import type { Target } from '../../client/client.ts'
import { userAgents } from '../../contract/headers.ts'
import { makeCaller } from '../helpers/caller.ts'
import { makeClient, operateWith } from '../helpers/service-client.ts'
import type { ScenarioService } from './steps/run-context.ts'

/** A service to run scenarios against, and the application and merchant of its calls. Nothing is sent yet. */
export function serviceAt({
  target,
  parties,
  terminal,
  isSandbox,
}: {
  readonly target: Target
  readonly parties: { readonly appId?: string; readonly merchantId?: string }
  readonly terminal: string | undefined
  readonly isSandbox: boolean
}): ScenarioService {
  const { baseUrl, apiKey, ca } = target
  const client = { url: baseUrl, apiKey, ca, terminalSn: terminal, ...parties }
  return {
    operate: operateWith(makeClient(client, userAgents.library)),
    call: isSandbox ? makeCaller(target) : undefined,
  }
}
