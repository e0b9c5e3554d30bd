import { boolean, integer, string } from '@oclif/core/flags'
import type { GenericSchema } from 'valibot'
import { limits } from '../../contract/headers.ts'
import { memberHelp, unwrap } from '../../contract/member-kinds.ts'
import {
  beginsOrder,
  commandArgument,
  flagName,
  hasFlag,
  isJsonMember,
  mayBeginOrder,
  moneyMembers,
  namesInside,
  needs,
} from '../../contract/operation-members.ts'
import {
  isLookUp,
  isSettlement,
  type OperationName,
  operationRow,
  operations,
} from '../../contract/operations.ts'
import { outcomes } from '../../domain/fixtures.ts'
import { parseJsonOr } from '../../shared/text/json-oddities.ts'
import { liveFlag } from '../connection/live.ts'
import { connectionFlags } from '../connection/profile.ts'
import { UsageError } from '../errors/exit-codes.ts'
import { jsonValue } from '../errors/input-name.ts'
import { clientRequestIdFlag, dryRunFlags, inputFlag } from '../request/json-input.ts'
import { waitWebhooksFlag, waitWebhooksFlags } from '../webhook/wait-webhooks.ts'
import { friendlyFlags } from './friendly-members.ts'

/** Flags as they were given. */
export type FlagValues = Readonly<Record<string, string | boolean | number | readonly string[] | undefined>>

/** Members that come from elsewhere: the connection, the argument, or the page before. */
const elsewhere = new Set(['appId', 'merchantId', 'nextToken'])

/** Members of an operation that are flags, by name. */
export function flagMembers(name: OperationName): [member: string, schema: GenericSchema][] {
  const entries = Object.entries(operations[name].input.entries as Record<string, GenericSchema>)
  const argument = commandArgument(name)?.member
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
  const others = members.filter(([member]) => !hasFlag(name, member))
  const meanings = others.map(([member, schema]) => `\n  ${member}: ${memberHelp(unwrap(schema))}`)
  return {
    ...Object.fromEntries(flags),
    set: string({
      description: `Set a field that has no flag. Can be repeated; see docs/command-line.md.${meanings.join('')}\n  appId: Application`,
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

function flagFor(name: OperationName, member: string, schema: GenericSchema) {
  const help = memberHelp(schema)
  if (schema.type === 'boolean') return boolean({ description: `${help}.`, allowNo: true })
  if ('options' in schema && Array.isArray(schema.options))
    return string({ description: `${help}.`, options: schema.options })
  if (moneyMembers.has(member))
    return string({ description: `${help}, such as 10.00.`, helpValue: '<amount>' })
  if (isJsonMember(schema))
    return string({
      description: `${help}. Keys: ${namesInside(schema)}. Example: ${jsonExample(member)}`,
      helpValue: jsonValue,
    })
  const note = noteOn(name, member)
  return string({ description: note ? `${help} (${note}).` : `${help}.` })
}

/** An example of each JSON field, for its help. */
export const jsonExamples: Readonly<Record<string, unknown>> = {
  tipConfig: { onScreenTip: true, suggestions: { feeMode: 'RATE', values: [15, 18, 20] } },
  signatureConfig: { useHostConfig: false, entryLocation: 'ON_SCREEN', threshold: 5000 },
  paymentMethod: { category: 'CARD-CREDIT' },
  productList: [{ name: 'Coffee', amount: 450, num: 2 }],
  billingAddress: { line1: '1 Market Street', city: 'San Francisco', countryCode: 'US' },
  shippingAddress: { line1: '1 Market Street', city: 'San Francisco', countryCode: 'US' },
}

const jsonExample = (member: string): string => `'${JSON.stringify(jsonExamples[member] ?? {})}'`

/** The value of a flag; for the payment method its category alone will do. */
export function jsonFrom(name: OperationName, member: string, text: string): unknown {
  if (member === 'paymentMethod' && /^[A-Z-]+$/.test(text)) return { category: text }
  return parseJsonOr(text, ({ reason, line, column }) => {
    const flag = hasFlag(name, member) ? `--${flagName(member)} ` : `--set ${member}=`
    const position = line > 1 ? `line ${line}, column ${column}` : `column ${column}`
    return new UsageError(
      `${flag.trim().replace(/=$/, '')} is not JSON: ${reason}, ${position}`,
      `Quote the value: ${flag}${jsonExample(member)}`,
      member,
    )
  })
}

/** True for an operation whose result is a transaction to wait for. */
export const opens = (name: OperationName): boolean =>
  operationRow(name).opens !== undefined && operationRow(name).opensPage !== true

/** True for an operation whose transaction can be aborted while it is open. */
export const isAbortable = (name: OperationName): boolean =>
  opens(name) && operationRow(name).runs !== 'cloud'

const waitFlags = {
  wait: string({
    description: 'How long to wait for the final status, and for webhooks: seconds, or 500ms, 90s, 5m.',
    default: '60s',
    helpValue: '<duration>',
    exclusive: ['no-wait'],
  }),
  'no-wait': boolean({ description: 'Return as soon as the request is accepted.' }),
}

const outcomeFlag = {
  outcome: string({
    description: `Outcome that the sandbox produces: decline (do-not-honor), ${outcomes.map(({ name }) => name).join(', ')}, or one of its --fixtures.`,
    helpValue: '<name>',
    helpGroup: 'SANDBOX',
  }),
}

const processing = {
  terminal: 'processed on a terminal',
  configurable: 'processed on a terminal or in the cloud',
  cloud: 'processed in the cloud',
} as const

/** The argument of the command, named as a flag is; undefined where it takes none. */
export function argumentFlag(name: OperationName) {
  const argument = commandArgument(name)
  return argument && { ...argument, name: flagName(argument.name) }
}

/** The shape of the command line, without the long list of flags. */
export function usageOf(name: OperationName): string {
  const { command, input } = operations[name]
  const argument = argumentFlag(name)
  const usage = argument === undefined ? '' : ` [${argument.name.toUpperCase()}]`
  const money = ['amount', 'tipAmount'].find((member) => member in input.entries && needs(name, member))
  return `${command}${usage}${money === undefined ? '' : ` --${flagName(money)} <amount>`} [FLAGS]`
}

/** Where the operation comes from, and where it is processed. */
export function descriptionOf(name: OperationName): string {
  const { number, method, path, runs } = operations[name]
  const source = number === null ? 'not in the specification' : `${number} of the specification`
  return `${method} ${path} (${source}), ${processing[runs]}.`
}

/** True where the currency of an amount may be that of the original. */
function looksUpOriginal(name: OperationName): boolean {
  const { entries } = operations[name].input
  return 'originalTransactionId' in entries && ('amount' in entries || 'tipAmount' in entries)
}

/** `--app-id` is `--set appId=…` of an operation. */
const { 'app-id': _, ...connection } = connectionFlags

/** All flags of the command, in the order of its help. */
export const commandFlags = (name: OperationName) => ({
  ...operationFlags(name),
  ...friendlyFlags(name),
  ...inputFlag,
  ...dryRunFlags(looksUpOriginal(name)),
  ...(opens(name) ? { ...waitFlags, ...waitWebhooksFlag } : {}),
  ...(operationRow(name).opens === undefined ? {} : outcomeFlag),
  ...(operationRow(name).ends === true ? waitWebhooksFlags : {}),
  ...connection,
  ...(isLookUp(name) ? {} : liveFlag),
  ...clientRequestIdFlag,
})
