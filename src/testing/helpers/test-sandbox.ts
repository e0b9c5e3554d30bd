import type { AddedMerchant } from '../../contract/control/application-answers.ts'
import type { StateSummary } from '../../contract/control/control-answers.ts'
import type { SnapshotView } from '../../contract/control/snapshot-answers.ts'
import { userAgents } from '../../contract/headers.ts'
import { type Address, makeCheckedCaller, sharingCaller } from './caller.ts'
import { InvalidOption, shownValue } from './options.ts'
import { makeClient, type ServiceClient } from './service-client.ts'
import {
  type TestCheckout,
  type TestClock,
  type TestFaults,
  type TestRequests,
  testCheckout,
  testClock,
  testFaults,
  testRequests,
} from './test-controls.ts'
import { type TestPayments, testPayments } from './test-payments.ts'
import { type TestTerminal, testTerminal } from './test-terminal.ts'
import { type TestWebhooks, testWebhooks } from './test-webhooks.ts'

/** How a client connects to the sandbox. */
export interface SandboxConnection {
  readonly url: string
  readonly apiKey: string
  readonly appId: string
  readonly merchantId: string
  /** The terminal that answers without a person. */
  readonly terminalSn: string
  /** Secret that webhooks are signed with. */
  readonly webhookSecret: string
}

/** The scope of a reset. */
export interface ResetOptions {
  /**
   * Resets to a new or seeded sandbox: also clock, faults, terminal settings, added merchants and terminals,
   * keys, allow-lists and the request log.
   */
  readonly everything?: boolean
}

/** A merchant with an application of its own, and a client that calls for it. */
export interface TestMerchant extends AddedMerchant {
  readonly client: ServiceClient
  /** Environment variables for a program that works for this merchant. */
  readonly env: Readonly<Record<string, string>>
  /** A terminal by its serial number; absent: the merchant's first. */
  terminal(terminalSn?: string): TestTerminal
}

/** A sandbox for tests. Errors of every method: ServiceRefusal, Unreachable. */
export interface TestSandbox extends SandboxConnection, AsyncDisposable {
  /** The environment variables of `tillbox exec`, for a program under test. */
  readonly env: Readonly<Record<string, string>>
  /** Calls the service as the default merchant. */
  readonly client: ServiceClient
  readonly clock: TestClock
  readonly payments: TestPayments
  readonly webhooks: TestWebhooks
  readonly faults: TestFaults
  readonly requests: TestRequests
  /** A terminal by its serial number; absent: `terminalSn`. */
  terminal(terminalSn?: string): TestTerminal
  checkout(sessionId: string): TestCheckout
  /** Adds a merchant; `terminals`: serial numbers that no other merchant has; absent: one new terminal. */
  newMerchant(options?: NewMerchant): Promise<TestMerchant>
  /** Counts of the stored records. */
  state(): Promise<StateSummary>
  /** Saves the state under a name; replaces an earlier one with that name. */
  snapshot(name: string): Promise<SnapshotView>
  /** Restores a saved state, including clock and faults. */
  restore(name: string): Promise<void>
  /** Deletes transactions, batches, webhooks and queued outcomes; with `everything`, all changes too. */
  reset(options?: ResetOptions): Promise<void>
  /**
   * Stops a sandbox of this process and removes a temporary state; a sandbox of another process keeps
   * running. May be called twice.
   */
  close(): Promise<void>
}

/** A merchant to add; absent ids are generated. */
export interface NewMerchant {
  readonly merchantId?: string
  readonly name?: string
  readonly terminals?: readonly string[]
}

interface TestSandboxParts {
  readonly address: Address
  readonly connection: SandboxConnection
  /** The environment variables that tell a program about a connection. */
  readonly variablesOf: (connection: SandboxConnection) => Readonly<Record<string, string>>
  /** Terminals of the key's merchant if the test has its own: lists show only that merchant's records. */
  readonly merchantTerminals?: readonly string[]
  /** Wall clock of the sandbox, in milliseconds; left out, that of the process. */
  readonly wall?: () => number
  /** Runs after a reset of everything, for example to freeze the clock. */
  readonly prepare: (sandbox: Pick<TestSandbox, 'clock' | 'restore'>) => Promise<unknown>
  readonly close: () => Promise<void>
}

export function testSandbox({ address, connection, ...parts }: TestSandboxParts): TestSandbox {
  const checked = makeCheckedCaller(address)
  const call = parts.merchantTerminals === undefined ? checked : sharingCaller(checked)
  const clock = testClock(call)
  const { variablesOf, prepare, close, wall } = parts
  const ofMerchant = parts.merchantTerminals && connection.merchantId
  const clientFor = ({ url, apiKey, appId, merchantId, terminalSn }: SandboxConnection) =>
    makeClient(
      { url, apiKey, appId, merchantId, ca: address.ca, terminalSn: terminalSn || undefined },
      userAgents.library,
      wall,
    )
  const restore = async (name: string) => {
    await call('restore-snapshot', {}, { name })
  }
  let merchants = 0
  return {
    ...connection,
    env: variablesOf(connection),
    client: clientFor(connection),
    clock,
    payments: testPayments(call, ofMerchant),
    webhooks: testWebhooks(call, ofMerchant, wall),
    faults: testFaults(call, ofMerchant),
    requests: testRequests(address, call),
    terminal: (terminalSn = connection.terminalSn) => {
      refuseForeign(terminalSn, parts.merchantTerminals)
      return testTerminal(address, call, terminalSn)
    },
    checkout: (sessionId) => testCheckout(call, sessionId),
    newMerchant: async (options = {}) => {
      merchants += 1
      const suffix = `${process.pid}${merchants}${Math.random().toString(36).slice(2, 8)}`
      const { merchantId = `M-${suffix}`, terminals = [`T-${suffix}`], ...others } = options
      const added = await call('add-merchant', { merchantId, terminals, ...others })
      const {
        terminals: [first = ''],
        ...keys
      } = added
      const theirs = { ...keys, url: connection.url, terminalSn: first }
      return {
        ...added,
        client: clientFor(theirs),
        env: variablesOf(theirs),
        terminal: (terminalSn = first) => testTerminal(address, call, terminalSn),
      }
    },
    state: () => call('state'),
    snapshot: (name) => call('save-snapshot', { replace: true }, { name }),
    restore,
    reset: async ({ everything = false, ...others } = {}) => {
      await call('reset', { everything, ...others })
      if (everything) await prepare({ clock, restore })
    },
    close,
    [Symbol.asyncDispose]: close,
  }
}

/** Refuses a terminal of another merchant, which other tests use. Errors: InvalidOption. */
function refuseForeign(terminalSn: string, terminals: readonly string[] = [terminalSn]): void {
  if (terminals.includes(terminalSn)) return
  throw new InvalidOption(
    'terminalSn',
    `${shownValue(terminalSn)} is not of the merchant of this test (connect: 'env'), which has ${terminals.join(', ')}; ` +
      "for a terminal that waits for a person, call sandbox.terminal().set({ mode: 'attended' })",
  )
}
