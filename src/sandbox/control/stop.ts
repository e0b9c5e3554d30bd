import type { Connection } from '../../contract/control/control-answers.ts'
import { reject } from '../../contract/errors.ts'
import { setImmediate } from '../../shared/timers.ts'

/** Why a sandbox is not stopped by a request, and what ends it. */
const refusals = {
  exec: ['tillbox exec runs it for a command', 'It stops when that command ends'],
  elsewhere: ['another node serves this space', 'Stop that node on its own machine'],
  program: ['another program runs it in its own process', 'End that program, or call close() in it'],
} as const

/**
 * Ends the process of `sandbox start`, as a signal does, once this is answered. `runs`: how the sandbox runs;
 * elsewhere: at a node that the caller did not name.
 */
export function stopProcess(runs: Connection['runs'] | 'elsewhere'): { readonly status: 'stopping' } {
  if (runs !== 'foreground' && runs !== 'background') {
    const [detail, remedy] = refusals[runs]
    return reject('SBX_NOT_ALLOWED', { message: 'The sandbox cannot be stopped from here', detail, remedy })
  }
  setImmediate(() => process.emit('SIGTERM', 'SIGTERM'))
  return { status: 'stopping' }
}
