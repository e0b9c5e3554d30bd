import type { ControlInput } from '../contract/sandbox/controls/controls.ts'
import type { FaultView } from '../contract/sandbox/fault-list.ts'
import type { CallControl } from './caller.ts'

/** Which requests a fault hits, and how often: once, unless `times`, `always`, `share` or `until` is given. */
export type FaultOptions = Omit<ControlInput<'add-fault'>, 'kind'>

/** Faults that are injected into answers of the payment API, and into webhooks. */
export interface TestFaults {
  /** Injects a fault, such as `lost-answer`, `http-503` or `latency=100-500`. */
  add(kind: string, options?: FaultOptions): Promise<FaultView>
  list(): Promise<readonly FaultView[]>
  remove(id: string): Promise<void>
  clear(): Promise<void>
}

export const faultsOf = (call: CallControl): TestFaults => ({
  add: (kind, options) => call('add-fault', { kind, ...options }),
  list: async () => (await call('faults')).faults,
  remove: async (id) => {
    await call('remove-fault', undefined, { id })
  },
  clear: async () => {
    await call('clear-faults')
  },
})
