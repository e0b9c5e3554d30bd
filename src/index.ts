/** What a test suite imports. */

export type { SpecRecord, TransactionRecord } from './contract/records.ts'
export type { Connection } from './contract/sandbox/answers.ts'
export { FixturesError } from './fixture-files/problems.ts'
export type { FixturesFile } from './fixture-files/schema.ts'
export {
  LockedState,
  PortTaken,
  type RunningSandbox,
  type ServerOptions,
  startSandbox,
} from './sandbox/server.ts'
