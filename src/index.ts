/** What a test suite imports. */
export type { Connection } from './api/control-answers.ts'
export type { SpecRecord, TransactionRecord } from './api/records.ts'
export {
  LockedState,
  PortTaken,
  type RunningSandbox,
  type ServerOptions,
  startSandbox,
} from './sandbox/server.ts'
