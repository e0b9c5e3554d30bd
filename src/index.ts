/** The library: a sandbox in a test suite, and a client of the service. docs/library.md */

export { ForeignAnswer, Unreachable } from './client/http.ts'
export { LostAnswer } from './client/lost-answer.ts'
export { ServiceRefusal } from './client/read-envelope.ts'
export type { FixtureNames } from './contract/built-in-names.ts'
export type { OperationName } from './contract/operations.ts'
export type { SpecRecord } from './contract/records.ts'
export { FixturesError } from './fixture-files/fixtures-problems.ts'
export type { FixturesFile } from './fixture-files/fixtures-schema.ts'
export { type ConnectOptions, connectSandbox } from './library/open/connect-sandbox.ts'
export type { SpaceOptions } from './library/open/create-test-sandbox.ts'
export type { TestSandboxOptions } from './library/open/sandbox-options.ts'
export {
  createSandbox,
  type Hooks,
  openSandboxSource,
  type SandboxSource,
  type SharedSandbox,
  type SuiteOptions,
  useSandbox,
} from './library/open/use-sandbox.ts'
export { type Duration, InvalidOption } from './library/options.ts'
export {
  type AuthRequest,
  type CallOptions,
  type ClientOptions,
  type CreateSessionRequest,
  createClient,
  type DirectPaymentRequest,
  type RefundRequest,
  type SaleRequest,
  type ServiceClient,
} from './library/service-client.ts'
export type {
  FaultOptions,
  RequestFilter,
  TestCheckout,
  TestClock,
  TestFaults,
  TestRequests,
} from './library/test-controls.ts'
export type { PaymentFilter, TestPayments } from './library/test-payments.ts'
export type {
  NewMerchant,
  ResetOptions,
  SandboxConnection,
  TestMerchant,
  TestSandbox,
} from './library/test-sandbox.ts'
export type { TerminalSettings, TestTerminal } from './library/test-terminal.ts'
export type {
  DeliveryFilter,
  ReceivedHeaders,
  SendOptions,
  TestWebhooks,
} from './library/test-webhooks.ts'
export { WaitFailed, type WaitOptions } from './library/wait-for.ts'
export { PortTaken, PublishedKey, TokenNeeded } from './server/listening.ts'
export { LockedState } from './store/lock.ts'
export { UnusableTarget } from './webhooks/webhook-target.ts'
