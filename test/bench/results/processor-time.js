// Processor time. Where the system tells it, that of the main thread alone: garbage collector, compiler and disk are other threads.
import { readFileSync } from 'node:fs'

/**
 * Of this process, in microseconds, and where it is from (`source`): of the main thread, unless only that of all threads is
 * known.
 */
export function ownTime() {
  const scheduled = mainThreadTime(process.pid)
  if (scheduled !== undefined) return { time: scheduled, source: 'schedstat' }
  if (process.threadCpuUsage !== undefined)
    return { time: sum(process.threadCpuUsage()), source: 'threadCpuUsage' }
  return { time: sum(process.cpuUsage()), source: 'cpuUsage of all threads' }
}

/** Of another process with all of its threads, in microseconds; undefined where the system does not tell. */
export function timeOf(pid) {
  const fields = statOf(pid)
  return fields && (Number(fields[11]) + Number(fields[12])) * tick
}

/** Name of another process; undefined where the system does not tell. */
export const nameOf = (pid) => read(`/proc/${pid}/comm`)?.trim()

/** Of all processes that this one started and that ended, in microseconds; undefined where the system does not tell. */
export function endedChildrenTime() {
  const fields = statOf('self')
  return fields && (Number(fields[13]) + Number(fields[14])) * tick
}

/** Memory of another process in bytes, as the system counts it (RSS); undefined where it does not tell. */
export function memoryOf(pid) {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(read(`/proc/${pid}/status`) ?? '')?.[1]
  return kilobytes && Number(kilobytes) * 1024
}

/** Microseconds of a tick, in which Linux counts: 1/100 s on every processor that Node runs on. */
const tick = 10_000

/** What follows the name of a process in its `stat`; see proc(5), from field 3. */
const statOf = (pid) => read(`/proc/${pid}/stat`)?.split(') ').at(-1).split(' ')

function mainThreadTime(pid) {
  const text = read(`/proc/self/task/${pid}/schedstat`)
  return text && Number(text.split(' ')[0]) / 1_000
}

/** Undefined where the system has no such file. */
function read(path) {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if (error.code === 'ENOENT' || error.code === 'ESRCH') return undefined // a process may end meanwhile
    throw error
  }
}

const sum = ({ user, system }) => user + system
