import { control } from '../../client/client.ts'
import { inSpace, serverUrl } from '../../client/space-url.ts'
import { type Duration, InvalidOption, millisecondsOf, type TestSandboxOptions } from '../sandbox-options.ts'
import type { TestSandbox } from '../test-sandbox.ts'
import { type AddressOptions, addressOf, asTestSandbox } from './connect-sandbox.ts'

/** A running server, for a new space. */
export interface SpaceOptions extends AddressOptions {
  /** Time after which the server removes the space unless it is closed before; by default an hour. */
  readonly ttl?: Duration | undefined
}

/** Options that the server sets for all its spaces are not allowed. */
const ofSpace: readonly string[] = ['clock']

const usualTtl = 3_600_000

/**
 * A space of its own in a running server; `close` removes it. Errors: InvalidOption; Unreachable; ForeignAnswer;
 * ServiceRefusal for a token that may not.
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
  const address = addressOf(where, 'connect')
  const server = { ...address, baseUrl: serverUrl(address.baseUrl) } // a space is made beside the one that a URL names
  const ttlMs = millisecondsOf(ttl, 'connect.ttl')
  const { name } = await control(server, 'create-space', { ttlMs })
  const remove = async () => {
    await control(server, 'remove-space', undefined, { names: { space: name } })
  }
  const freeze = async ({ clock }: Pick<TestSandbox, 'clock'>) => {
    if (options.clock === 'frozen') await clock.freeze()
  }
  const { apiKey: _, ...own } = server // a key of another space
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
    `must be an object with the url of a server, or {} for that of TILLBOX_BASE_URL; it is ${JSON.stringify(given)}` +
      (given === 'env' ? `. The text 'env' is for useSandbox and sandboxTest` : ''),
  )

/** Does it at most once, however often called. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
