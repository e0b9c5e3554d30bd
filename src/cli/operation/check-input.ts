import { argumentOf, flagName, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import { UsageError } from '../errors/usage-error.ts'
import type { FlagValues } from './operation-request.ts'

/** What can be said of a command line before anybody is asked. Errors: UsageError. */
export function checkInput(name: OperationName, original: string | undefined, flags: FlagValues): void {
  if (original === undefined && argumentOf(name) !== undefined) requireNamed(name, flags)
  requireAmount(name, flags)
}

function requireNamed(name: OperationName, flags: FlagValues): void {
  const field = argumentOf(name)?.member ?? ''
  const [what, others] =
    field === 'originalTransactionId'
      ? ['The original transaction is missing', ['original-transaction-request-id']]
      : [`Nothing to ${operations[name].command.split(' ').at(-1)}`, ['transaction-request-id']]
  if (name === 'refund') others.push('reference-order-id')
  if (others.some((flag) => flags[flag] !== undefined)) return
  throw new UsageError(
    what,
    `Name the ${argumentOf(name)?.name === 'sessionId' ? 'session' : 'transaction'}, or give --${others.join(' or --')}`,
    field,
  )
}

function requireAmount(name: OperationName, flags: FlagValues): void {
  const member = ['amount', 'tipAmount'].find((each) => each in operations[name].input.entries)
  if (member === undefined || !needs(name, member) || flags[flagName(member)] !== undefined) return
  const flag = flagName(member)
  const remedy = `Use minor units (--${flag} 1000), or major units with a decimal point (--${flag} 10.00)`
  throw new UsageError(`--${flag} is missing`, remedy, flag)
}
