/** The library: a sandbox in a test suite, and a client of the service. docs/library.md */

export { ForeignAnswer, Unreachable } from '../client/http.ts'
export { LostAnswer } from '../client/lost-answer.ts'
export { ServiceRefusal } from '../client/read-envelope.ts'
export type { FixtureNames } from '../contract/built-in-names.ts'
export type { OperationName } from '../contract/operations.ts'
export type { SpecRecord } from '../contract/records.ts'
export { FixturesError } from '../sandbox/fixture-files/fixtures-problems.ts'
export type { FixturesFile } from '../sandbox/fixture-files/fixtures-schema.ts'
export { LockedState } from '../sandbox/store/lock.ts'
export { UnusableTarget } from '../sandbox/webhooks/webhook-target.ts'
export { PortTaken, PublishedKey, TokenNeeded } from '../server/listening.ts'
export { type Duration, InvalidOption } from '../testing/helpers/options.ts'
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
} from '../testing/helpers/service-client.ts'
export type {
  FaultOptions,
  RequestFilter,
  TestCheckout,
  TestClock,
  TestFaults,
  TestRequests,
} from '../testing/helpers/test-controls.ts'
export type { PaymentFilter, TestPayments } from '../testing/helpers/test-payments.ts'
export type {
  NewMerchant,
  ResetOptions,
  SandboxConnection,
  TestMerchant,
  TestSandbox,
} from '../testing/helpers/test-sandbox.ts'
export type { TerminalSettings, TestTerminal } from '../testing/helpers/test-terminal.ts'
export type {
  DeliveryFilter,
  ReceivedHeaders,
  SendOptions,
  TestWebhooks,
} from '../testing/helpers/test-webhooks.ts'
export { WaitFailed, type WaitOptions } from '../testing/helpers/wait-for.ts'
export { type ConnectOptions, connectSandbox } from './connect-sandbox.ts'
export { createSandbox, type SpaceOptions } from './create-sandbox.ts'
export type { TestSandboxOptions } from './sandbox-options.ts'
export {
  type Hooks,
  openSandboxSource,
  type SandboxSource,
  type SharedSandbox,
  type SuiteOptions,
  useSandbox,
} from './use-sandbox.ts'
