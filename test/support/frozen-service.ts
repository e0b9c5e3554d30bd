import type { SandboxOptions } from '../../src/sandbox/options.ts'
import { noon } from './ledger.ts'
import { openService, type Service, WallClock } from './service.ts'

/** Opens a service at noon whose clocks stand until they are moved. */
export async function openFrozenService(
  options: Partial<SandboxOptions> = {},
): Promise<Service & { readonly wall: WallClock }> {
  const wall = new WallClock(noon)
  const service = await openService({ wall: wall.read, ...options })
  await service.control('POST', 'clock', { action: 'freeze' })
  return { ...service, wall }
}
