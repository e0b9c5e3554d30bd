import { control } from '../../client/client.ts'
import { inSpace } from '../../client/space-url.ts'
import { type Duration, InvalidOption, millisecondsOf, type TestSandboxOptions } from '../sandbox-options.ts'
import type { TestSandbox } from '../test-sandbox.ts'
import { type AddressOptions, addressOf, asTestSandbox } from './connect-sandbox.ts'

/** A running server in which a space is made. */
export interface SpaceOptions extends AddressOptions {
  /** The server removes the space after so long, should nobody close it; left out: an hour. */
  readonly ttl?: Duration | undefined
}

/** What a server decides for all its spaces is not for one of them to say. */
const ofSpace: readonly string[] = ['clock']

const usualTtl = 3_600_000

/**
 * A space of its own in a running server; `close` removes it. Errors: InvalidOption; Unreachable; ForeignAnswer;
 * ServiceRefusal for a token that may not.
 */
export async function createSpace(
  { ttl = usualTtl, ...where }: SpaceOptions,
  options: Omit<TestSandboxOptions, 'seed'>,
): Promise<TestSandbox> {
  for (const [name, value] of Object.entries(options))
    if (value !== undefined && !ofSpace.includes(name))
      throw new InvalidOption(name, 'is an option of the server: pass it to tillbox sandbox start')
  const server = addressOf(where, 'connect')
  const ttlMs = millisecondsOf(ttl, 'connect.ttl')
  const { name } = await control(server, 'create-space', { ttlMs })
  const remove = async () => {
    await control(server, 'remove-space', undefined, { names: { space: name } })
  }
  const freeze = async ({ clock }: Pick<TestSandbox, 'clock'>) => {
    if (options.clock === 'frozen') await clock.freeze()
  }
  const { apiKey: _, ...address } = server // one of another space
  try {
    const sandbox = await asTestSandbox(
      { ...address, baseUrl: inSpace(server.baseUrl, name) },
      { prepare: freeze, close: once(remove) },
    )
    await freeze(sandbox)
    return sandbox
  } catch (error) {
    await remove()
    throw error
  }
}

/** Does it at most once, however often called. */
function once(act: () => Promise<void>): () => Promise<void> {
  let done: Promise<void> | undefined
  return () => {
    done ??= act()
    return done
  }
}
