import { Acknowledged } from '../../support/load/acknowledged.ts'

/** What says something of a promise. */
const telling = [
  ...(['sent', 'accepted', 'refuse', 'act', 'saw', 'close', 'sendSetting', 'keepSetting'] as const),
  ...(['beginReset', 'reset', 'refuseReset'] as const),
]

/** Promises with the points of a record at which they were made. */
export class AcknowledgedLog {
  /** What was said at which point. */
  readonly #calls: { readonly at: number; readonly tell: (acknowledged: Acknowledged) => void }[] = []

  /** `position`: where the record is now. `acknowledged`: to be told what is said, as it is said. */
  constructor(
    position: () => number,
    readonly acknowledged = new Acknowledged(),
  ) {
    for (const name of telling) {
      const tellTo = (other: Acknowledged, args: unknown[]) =>
        (Acknowledged.prototype[name] as (...args: unknown[]) => void).apply(other, args)
      acknowledged[name] = (...args: unknown[]) => {
        this.#calls.push({ at: position(), tell: (other) => tellTo(other, args) })
        tellTo(acknowledged, args)
      }
    }
  }

  /** Tells another one, point after point, what was said until then. Returns how to go on. */
  replay(other: Acknowledged): (until: number) => void {
    let next = 0
    return (until) => {
      for (let call = this.#calls[next]; call !== undefined && call.at <= until; call = this.#calls[next]) {
        call.tell(other)
        next += 1
      }
    }
  }
}
