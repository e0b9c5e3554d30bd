/** The library: a sandbox in a test suite, and a client of the service. docs/library.md */

export { ServiceRefusal } from './client/envelope.ts'
export { ForeignAnswer, Unreachable } from './client/http.ts'
export { LostAnswer } from './client/lost-answer.ts'
export type { OperationName } from './contract/operations.ts'
export type { SpecRecord } from './contract/records.ts'
export { FixturesError } from './fixture-files/fixtures-problems.ts'
export type { FixturesFile } from './fixture-files/fixtures-schema.ts'
export type { TestCheckout } from './library/checkout.ts'
export type { TestClock } from './library/clock.ts'
export type { FaultOptions, TestFaults } from './library/faults.ts'
export type { RequestFilter, TestRequests } from './library/logged-requests.ts'
export type { CreateSessionRequest, DirectPaymentRequest } from './library/online-requests.ts'
export { type ConnectOptions, connectSandbox } from './library/open/connect-sandbox.ts'
export type { SpaceOptions } from './library/open/create-space.ts'
export type { PaymentFilter, TestPayments } from './library/payments.ts'
export { type Duration, InvalidOption, type TestSandboxOptions } from './library/sandbox-options.ts'
export {
  type AuthRequest,
  type CallOptions,
  type ClientOptions,
  createClient,
  type RefundRequest,
  type SaleRequest,
  type ServiceClient,
} from './library/service-client.ts'
export type { TerminalSettings, TestTerminal } from './library/terminal.ts'
export type {
  NewMerchant,
  ResetOptions,
  SandboxConnection,
  TestMerchant,
  TestSandbox,
} from './library/test-sandbox.ts'
export { WaitFailed, type WaitOptions } from './library/wait.ts'
export type {
  DeliveryFilter,
  ReceivedHeaders,
  SendOptions,
  TestWebhooks,
  WebhookFaultOrder,
} from './library/webhooks.ts'
export { createSandbox } from './seed/create-sandbox.ts'
export { SeedError } from './seed/seed.ts'
export {
  type Hooks,
  openSandboxSource,
  type SandboxSource,
  type SharedSandbox,
  type SuiteOptions,
  useSandbox,
} from './seed/use-sandbox.ts'
export { LockedState, PortTaken, TokenNeeded } from './server/server.ts'
