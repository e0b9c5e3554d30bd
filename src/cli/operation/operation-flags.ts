import { boolean, integer, string } from '@oclif/core/flags'
import type { GenericSchema } from 'valibot'
import { limits } from '../../contract/headers.ts'
import { helpOf, unwrap } from '../../contract/member-kinds.ts'
import {
  argumentOf,
  beginsOrder,
  flagName,
  hasFlag,
  isJsonMember,
  mayBeginOrder,
  moneyMembers,
  namesInside,
  needs,
} from '../../contract/operation-members.ts'
import { isSettlement, type OperationName, operations } from '../../contract/operations.ts'
import { jsonValue } from '../errors/input-name.ts'
import { exampleOf } from './json-flags.ts'

/** Members that come from elsewhere: the connection, the argument, or the page before. */
const elsewhere = new Set(['appId', 'merchantId', 'nextToken'])

/** Members of an operation that are flags, by name. */
export function flagMembers(name: OperationName): [member: string, schema: GenericSchema][] {
  const entries = Object.entries(operations[name].input.entries as Record<string, GenericSchema>)
  const argument = argumentOf(name)?.member
  return entries.filter(([member]) => !elsewhere.has(member) && member !== argument)
}

/** What happens when the flag is left out. */
function noteOn(name: OperationName, member: string): string | undefined {
  if (member === 'priceCurrency') return currencyNote(name)
  if (member === 'transactionRequestId' && needs(name, member)) return 'default: a new one'
  if (member !== 'referenceOrderId') return undefined
  if (mayBeginOrder(name)) return 'where there is no original'
  return beginsOrder(name) ? 'default: a new one' : undefined
}

const currencyNote = (name: OperationName): string => {
  if (isSettlement(operations[name])) return 'left out, every currency'
  if (mayBeginOrder(name)) return 'default: the original’s, or USD without an original'
  return beginsOrder(name) ? 'default: USD' : 'default: the original’s'
}

/** Flags of the usual members, the other spelling of the amount, and `--set` for the others. */
export function operationFlags(name: OperationName) {
  const members = flagMembers(name)
  const flags = members
    .filter(([member]) => hasFlag(name, member))
    .flatMap(([member, schema]) => {
      const flag = [flagName(member), flagFor(name, member, unwrap(schema))] as const
      return member === 'amount' ? [flag, ['minor', minorFlag]] : [flag]
    })
  const others = members.filter(([member]) => !hasFlag(name, member)).map(([member]) => member)
  return {
    ...Object.fromEntries(flags),
    set: string({
      description: `Set a field that has no flag: ${[...others, 'appId'].join(', ')}. Can be repeated; see docs/command-line.md.`,
      helpValue: '<field>=<value>',
      multiple: true,
    }),
  }
}

const minorFlag = integer({
  description: 'The amount in minor units, in place of --amount: 1000 is 10.00 USD.',
  helpValue: '<units>',
  min: 0,
  max: limits.amount,
  exclusive: ['amount'],
})

/** The flag that reads a member of that shape. */
export function flagFor(name: OperationName, member: string, schema: GenericSchema) {
  const terminal = member === 'terminalSn' ? { env: 'TILLBOX_TERMINAL_SN' } : {}
  const help = helpOf(schema)
  if (schema.type === 'boolean') return boolean({ description: `${help}.`, allowNo: true })
  if ('options' in schema && Array.isArray(schema.options))
    return string({ description: `${help}.`, options: schema.options })
  if (moneyMembers.has(member))
    return string({ description: `${help}, such as 10.00.`, helpValue: '<amount>' })
  if (schema.type === 'number') return integer({ description: `${help}.` })
  if (isJsonMember(schema))
    return string({
      description: `${help}. Keys: ${namesInside(schema)}. Example: ${exampleOf(member)}`,
      helpValue: jsonValue,
    })
  const note = noteOn(name, member)
  return string({ description: note ? `${help} (${note}).` : `${help}.`, ...terminal })
}
