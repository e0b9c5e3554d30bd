import { type Fault, isFault, readFault } from '../../contract/control/faults.ts'

/** Parses the text of a fault that was checked when it was set. */
export function parseFault(written: string): Fault {
  const fault = readFault(written)
  if (isFault(fault)) return fault
  throw new Error(`${written} ${fault.wrong}: ${fault.remedy}`)
}
