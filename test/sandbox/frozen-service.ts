import type { SandboxOptions } from '../../src/server/sandbox/options.ts'
import { noon } from '../support/domain/ledger.ts'
import { openService, type Service, WallClock } from '../support/service/service.ts'

/** Opens a service whose wall clock stands at noon. */
export const openAtNoon = (options: Partial<SandboxOptions> = {}): Promise<Service> =>
  openService({ wall: new WallClock(noon).read, ...options })

/** The same with the clock of the sandbox frozen, and the wall clock in the test's hand. */
export async function openFrozenService(
  options: Partial<SandboxOptions> = {},
): Promise<Service & { readonly wall: WallClock }> {
  const wall = new WallClock(noon)
  const service = await openService({ wall: wall.read, ...options })
  await service.control('POST', 'clock', { action: 'freeze' })
  return { ...service, wall }
}
