import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import type { FaultView } from '../contract/sandbox/fault-list.ts'
import type { WrittenFault } from '../contract/sandbox/faults.ts'
import type { CallControl } from './caller.ts'

/** Which requests a fault hits, and how often: once, unless `times`, `always`, `share` or `until` is given. */
export type FaultOptions = Omit<ControlInput<'add-fault'>, 'kind'>

/** Faults injected into answers of the payment API, and into webhooks. */
export interface TestFaults {
  /** Injects a fault, such as `lost-answer`, `http-503` or `latency=100-500`. */
  add(kind: WrittenFault, options?: FaultOptions): Promise<FaultView>
  list(): Promise<readonly FaultView[]>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

/** `own`: the merchant whose requests and webhooks get the faults; absent: all merchants. */
export function faultsOf(call: CallControl, own?: string): TestFaults {
  const list = async () => {
    const { faults } = await call('faults')
    return own === undefined ? faults : faults.filter(({ merchantId }) => merchantId === own)
  }
  const remove = async (id: string) => {
    await call('remove-fault', undefined, { id })
  }
  return {
    add: (kind, options) =>
      call('add-fault', { kind, ...options, ...(own !== undefined && { merchantId: own }) }),
    list,
    remove,
    clear: async () => {
      if (own === undefined) await call('clear-faults')
      else for (const { id } of await list()) await remove(id)
    },
  }
}
