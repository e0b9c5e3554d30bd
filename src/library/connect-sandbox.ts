import { control } from '../client/client.ts'
import { sandboxVariables } from '../client/sandbox-variables.ts'
import type { Connection } from '../contract/sandbox/answers.ts'
import { type TestSandbox, testSandboxOf } from './test-sandbox.ts'

/** Where a sandbox runs that another process started. */
export interface ConnectOptions {
  readonly url: string
  /** What the control interface wants, when the sandbox was started with a token. */
  readonly token?: string | undefined
  /** Key of the application that asks; left out, the sandbox's first one. */
  readonly apiKey?: string | undefined
  /** Certificate to trust besides the usual ones, PEM. */
  readonly ca?: string | undefined
}

/** Connects to a running sandbox. Errors: Unreachable; ForeignAnswer when something else answers there. */
export function connectSandbox({ url, token, apiKey, ca }: ConnectOptions): Promise<TestSandbox> {
  const address = {
    baseUrl: url.replace(/\/+$/, ''),
    ...(token && { token }),
    ...(apiKey && { apiKey }),
    ...(ca && { ca }),
  }
  return asTestSandbox(address, { prepare: async () => undefined, close: async () => undefined })
}

/** What goes there, and what comes with a sandbox that was started here. */
interface Ends {
  readonly prepare: Parameters<typeof testSandboxOf>[0]['prepare']
  readonly close: () => Promise<void>
  /** Certificate to trust, a path. */
  readonly certificate?: string | undefined
}

/** Asks a sandbox how to connect, and puts it into the hands of a test. Errors: Unreachable, ForeignAnswer. */
export async function asTestSandbox(
  where: {
    readonly baseUrl: string
    readonly token?: string
    readonly apiKey?: string
    readonly ca?: string
  },
  { certificate, ...ends }: Ends,
): Promise<TestSandbox> {
  const { state, ...found } = await control(where, 'connection')
  const apiKey = where.apiKey ?? found.apiKey
  const { secret } = await control(where, 'webhook-secret', undefined, { apiKey })
  const connection = {
    url: where.baseUrl,
    apiKey,
    ...(await partiesOf(where, apiKey, found)),
    webhookSecret: secret,
  }
  const env = sandboxVariables({ ...connection, state, token: where.token, certificate })
  return testSandboxOf({ address: { ...where, apiKey }, connection, env, ...ends })
}

/** Whom the key belongs to: the first merchant of its application. */
async function partiesOf(
  where: Parameters<typeof control>[0],
  apiKey: string,
  { apiKey: first, appId, merchantId, terminals }: Omit<Connection, 'state'>,
) {
  if (apiKey === first) return { appId, merchantId, terminalSn: terminals[0] ?? '' }
  const own = (await control(where, 'webhook-secret', undefined, { apiKey })).appId
  const { merchants } = await control(where, 'merchants')
  const merchant = merchants.find((each) => each.appId === own)
  return {
    appId: own ?? appId,
    merchantId: merchant?.merchantId ?? merchantId,
    terminalSn: merchant?.terminals[0] ?? '',
  }
}
