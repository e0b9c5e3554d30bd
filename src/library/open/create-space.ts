import { control } from '../../client/client.ts'
import { inSpace, serverUrl } from '../../client/space-url.ts'
import {
  type Duration,
  InvalidOption,
  millisecondsOf,
  shownValue,
  type TestSandboxOptions,
} from '../sandbox-options.ts'
import type { TestSandbox } from '../test-sandbox.ts'
import { type AddressOptions, asTestSandbox, sandboxAddressOf } from './connect-sandbox.ts'

/** The running server in which a space is created. */
export interface SpaceOptions extends AddressOptions {
  /** Time after which the server removes a space that was not closed; by default an hour. */
  readonly ttl?: Duration | undefined
}

/** The options that a space may set; all others belong to the server. */
const ofSpace: readonly string[] = ['clock']

const usualTtl = 3_600_000

/**
 * Creates a space in a running server; `close` removes it. Errors: InvalidOption; Unreachable; ForeignAnswer;
 * ServiceRefusal for a token that may not create one.
 */
export async function createSpace(
  given: SpaceOptions,
  options: Omit<TestSandboxOptions, 'seed'>,
): Promise<TestSandbox> {
  if (typeof given !== 'object' || given === null) throw notServer(given)
  const { ttl = usualTtl, ...where } = given
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !ofSpace.includes(name))
      throw new InvalidOption(name, 'is an option of the server: pass it to tillbox sandbox start')
  const address = sandboxAddressOf(where, 'connect')
  const server = { ...address, baseUrl: serverUrl(address.baseUrl) } // a URL of a space leads to its server
  const ttlMs = millisecondsOf(ttl, 'connect.ttl')
  const { name } = await control(server, 'create-space', { ttlMs })
  const remove = async () => {
    await control(server, 'remove-space', undefined, { names: { space: name } })
  }
  const freeze = async ({ clock }: Pick<TestSandbox, 'clock'>) => {
    if (options.clock === 'frozen') await clock.freeze()
  }
  const { apiKey: _, ...own } = server // the key belongs to another space
  try {
    const sandbox = await asTestSandbox(
      { ...own, baseUrl: inSpace(server.baseUrl, name) },
      { prepare: freeze, close: once(remove) },
    )
    await freeze(sandbox)
    return sandbox
  } catch (error) {
    await remove()
    throw error
  }
}

const notServer = (given: unknown): InvalidOption =>
  new InvalidOption(
    'connect',
    `must be an object with the url of a server, or {} for that of TILLBOX_BASE_URL; it is ${shownValue(given)}` +
      (given === 'env' ? `. The text 'env' is for useSandbox and sandboxTest` : ''),
  )

/** Calls `act` at most once. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
