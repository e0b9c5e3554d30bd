import { type ErrorCode, errorTable, type RefusalDetail, reject } from '../../../contract/errors.ts'

/** Refuses a request to a terminal; the remedy names the terminal. Errors: always throws a Refusal. */
export const refuseAt = (
  code: ErrorCode,
  terminalSn: string,
  { field = 'terminalSn', detail, remedy = errorTable[code].remedy }: RefusalDetail,
): never => reject(code, { field, detail, remedy: remedy.replaceAll('<serial>', terminalSn) })

/** Refuses a terminal that was removed. Errors: SBX_UNREGISTERED. */
export const refuseRemoved = (terminalSn: string): never =>
  reject('SBX_UNREGISTERED', {
    field: 'terminalSn',
    detail: `the terminal ${terminalSn} was removed`,
    remedy: `Add it again: tillbox terminal add ${terminalSn}. Or process the request in the cloud: --no-push-to-terminal`,
  })

/** Refuses a terminal that is paired with no merchant. assumption: pairing. Errors: SBX_OTHER_OWNER. */
export const refuseUnpaired = (terminalSn: string): never =>
  reject('SBX_OTHER_OWNER', {
    field: 'terminalSn',
    detail: `${terminalSn} is not paired with this merchant`,
    remedy: `Read its code: tillbox terminal show ${terminalSn}. Then pair it: tillbox terminal pair <code>`,
  })

/** Refuses a serial number that no terminal has. Errors: SBX_UNREGISTERED. */
export const refuseUnknownTerminal = (terminalSn: string): never =>
  reject('SBX_UNREGISTERED', {
    field: 'terminalSn',
    detail: `there is no terminal ${terminalSn}`,
    remedy: `See which there are: tillbox terminal list. Or set it up: tillbox terminal add ${terminalSn}`,
  })
