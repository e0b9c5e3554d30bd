import type { FaultView } from './fault-list.ts'
import type { WrittenFault } from './faults.ts'

/** Faults that are started together, for some minutes of the sandbox clock. */
export interface FaultPreset {
  readonly name: string
  readonly title: string
  readonly summary: string
  /** Of those that match a request the first is used; a fault without a share hits all. */
  readonly faults: readonly { readonly kind: WrittenFault; readonly share?: number }[]
}

/** Troubles that a client meets in production. */
export const faultPresets: readonly FaultPreset[] = [
  {
    name: 'bad-wifi',
    title: 'Bad Wi-Fi',
    summary: 'One answer in five is lost; the others take 0.5 to 3 seconds',
    faults: [{ kind: 'lost-answer', share: 0.2 }, { kind: 'latency=500-3000' }],
  },
  {
    name: 'bank-down',
    title: 'Service down',
    summary: 'Every request is answered with HTTP 503 before anything happens',
    faults: [{ kind: 'http-503' }],
  },
  {
    name: 'duplicate-storm',
    title: 'Duplicate storm',
    summary: 'Every webhook is sent twice, and out of order',
    faults: [{ kind: 'duplicate' }, { kind: 'reorder=10' }],
  },
]

/** The rules that a preset started: of its faults, for every request, and between two times. */
export const rulesOfPreset = ({ faults }: FaultPreset, rules: readonly FaultView[]): readonly FaultView[] =>
  rules.filter(({ kind, share, from, until, operation, terminalSn, merchantId, amount }) => {
    const isForAll = [operation, terminalSn, merchantId, amount].every((each) => each === null)
    return (
      isForAll &&
      from !== null &&
      until !== null &&
      faults.some((presetFault) => presetFault.kind === kind && (presetFault.share ?? null) === share)
    )
  })
