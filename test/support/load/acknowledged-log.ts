import { Acknowledged } from './acknowledged.ts'

/** What was said at a point of a record. */
interface LoggedCall {
  readonly at: number
  readonly tell: (acknowledged: Acknowledged) => void
}

const telling = [
  ...(['sent', 'accepted', 'refuse', 'act', 'saw', 'close', 'sendSetting', 'keepSetting'] as const),
  ...(['beginReset', 'reset', 'refuseReset'] as const),
]

/** Promises with the points of a record at which they were made. */
export class AcknowledgedLog {
  /** To be told what is said, as it is said. */
  readonly acknowledged: Acknowledged
  readonly #calls: LoggedCall[] = []

  /** `position`: where the record is now. */
  constructor(position: () => number, known = new Acknowledged()) {
    const names: readonly (string | symbol)[] = telling
    const note = (at: number, name: (typeof telling)[number], args: unknown[]) =>
      this.#calls.push({
        at,
        tell: (other) => (other[name] as (...args: unknown[]) => void).apply(other, args),
      })
    this.acknowledged = new Proxy(known, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target)
        if (typeof value !== 'function') return value
        return (...args: unknown[]) => {
          if (names.includes(name)) note(position(), name as (typeof telling)[number], args)
          return value.apply(target, args)
        }
      },
    })
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
