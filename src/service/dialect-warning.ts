import { type Dialect, sdkOf } from '../contract/records.ts'
import { type Call, headerOf } from '../http/call.ts'

/** Options that the warning depends on. */
interface DialectSettings {
  readonly dialect: Dialect
  readonly report: (message: string) => void
}

/** Warns once when an SDK calls a sandbox with the dialect `spec`, which no SDK can read. assumption: dialect */
export function dialectWarner({ dialect, report }: DialectSettings): (call: Call) => void {
  let isDue = dialect === 'spec'
  return (call) => {
    if (!isDue) return
    const sdk = sdkOf(headerOf(call, 'user-agent'))
    if (sdk === undefined) return
    isDue = false
    report(
      `${sdk} calls, but the dialect spec answers without what it reads: amounts inside amount, and batchNo as text. ` +
        'Start with --set dialect=auto',
    )
  }
}
