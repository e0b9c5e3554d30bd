import { control } from '../client/client.ts'
import { sandboxVariables } from '../client/sandbox-variables.ts'
import type { Connection } from '../contract/control/control-answers.ts'
import type { Address } from '../testing/helpers/caller.ts'
import { addressRules, checkMembers, InvalidOption } from '../testing/helpers/options.ts'
import { type TestSandbox, testSandbox } from '../testing/helpers/test-sandbox.ts'

/** Where another process's server runs. */
export interface AddressOptions {
  /** Absent: TILLBOX_BASE_URL, with TILLBOX_TOKEN and TILLBOX_API_KEY, as `tillbox exec` sets them. */
  readonly url?: string | undefined
  /** Token for the control interface, if the sandbox was started with one. */
  readonly token?: string | undefined
  /** Certificate to trust besides the usual ones, PEM. */
  readonly ca?: string | undefined
}

/** Where another process's sandbox runs, and which application calls it. */
export interface ConnectOptions extends AddressOptions {
  /** Key of the calling application; absent: the sandbox's first one. */
  readonly apiKey?: string | undefined
}

/** Connects to a running sandbox. Errors: InvalidOption; Unreachable; ForeignAnswer of another program. */
export const connectSandbox = async (options: ConnectOptions = {}): Promise<TestSandbox> =>
  asTestSandbox(sandboxAddressOf(options), elsewhere)

/** Connects to the environment's sandbox with a new merchant for its lists. Errors: as `connectSandbox`. */
export async function connectAsNewMerchant(): Promise<TestSandbox> {
  const address = sandboxAddressOf({})
  const { apiKey, terminals } = await (await asTestSandbox(address, elsewhere)).newMerchant()
  return asTestSandbox({ ...address, apiKey }, { ...elsewhere, merchantTerminals: terminals })
}

/** Closing has no effect on another process's sandbox. */
const elsewhere: Ends = { prepare: async () => undefined, close: async () => undefined }

/** Secrets of the environment are sent only to the URL of the environment. Errors: InvalidOption. */
export function sandboxAddressOf(options: ConnectOptions, owner = 'connectSandbox') {
  const checkedOptions = checkMembers(options, { ...addressRules, token: addressRules.ca }, owner)
  const { TILLBOX_BASE_URL, TILLBOX_TOKEN, TILLBOX_API_KEY } = process.env
  const surrounding = { url: TILLBOX_BASE_URL, token: TILLBOX_TOKEN, apiKey: TILLBOX_API_KEY }
  const { url, token, apiKey, ca }: ConnectOptions =
    checkedOptions.url === undefined ? { ...surrounding, ...checkedOptions } : checkedOptions
  if (!url)
    throw new InvalidOption(
      'url',
      'is missing, and TILLBOX_BASE_URL is not set: run the tests with tillbox exec -- <command>, or set the variables of a ' +
        'running sandbox with eval "$(tillbox sandbox env)"',
    )
  checkMembers({ url }, addressRules, 'connectSandbox') // that of the environment, too
  return {
    baseUrl: url.replace(/\/+$/, ''),
    ...(token && { token }),
    ...(apiKey && { apiKey }),
    ...(ca && { ca }),
  }
}

/** How a test sandbox is prepared and closed. */
type Ends = Omit<Parameters<typeof testSandbox>[0], 'address' | 'connection' | 'variablesOf'> & {
  /** Certificate to trust, a path. */
  readonly certificate?: string
}

/** Asks a sandbox how to connect, and makes a TestSandbox of it. Errors: Unreachable, ForeignAnswer. */
export async function asTestSandbox(
  where: Omit<Address, 'apiKey'> & { readonly apiKey?: string },
  { certificate, ...ends }: Ends,
): Promise<TestSandbox> {
  const { state, ...found } = await control(where, 'connection')
  const apiKey = where.apiKey ?? found.apiKey
  const { secret } = await control(where, 'webhook-secret', undefined, { apiKey })
  const connection = {
    url: where.baseUrl,
    apiKey,
    ...(await firstMerchant(where, apiKey, found)),
    webhookSecret: secret,
  }
  const variablesOf = (facts: typeof connection) =>
    sandboxVariables({ ...facts, state, token: where.token, certificate })
  return testSandbox({ address: { ...where, apiKey }, connection, variablesOf, ...ends })
}

/** The first merchant of the key's application. */
async function firstMerchant(
  where: Parameters<typeof control>[0],
  apiKey: string,
  { apiKey: first, appId, merchantId, terminals }: Omit<Connection, 'state'>,
) {
  if (apiKey === first) return { appId, merchantId, terminalSn: terminals[0] ?? '' }
  const keyAppId = (await control(where, 'webhook-secret', undefined, { apiKey })).appId
  const { merchants } = await control(where, 'merchants')
  const merchant = merchants.find((each) => each.appId === keyAppId)
  return {
    appId: keyAppId ?? appId,
    merchantId: merchant?.merchantId ?? merchantId,
    terminalSn: merchant?.terminals[0] ?? '',
  }
}
