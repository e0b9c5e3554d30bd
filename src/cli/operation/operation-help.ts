import { boolean, string } from '@oclif/core/flags'
import { argumentOf, flagName, needs } from '../../contract/operation-members.ts'
import { isLookUp, type OperationName, operations } from '../../contract/operations.ts'
import { outcomes } from '../../fixtures.ts'
import { liveFlag } from '../connection/live.ts'
import { connectionFlags } from '../connection/profile.ts'
import { outcomeWord } from '../input/fixture-names.ts'
import { dryRunFlags, inputFlag } from '../request/json-input.ts'
import { waitWebhooksFlags } from '../webhook/wait-webhooks.ts'
import { friendlyFlags } from './friendly-members.ts'
import { hasOutcome, opens, operationFlags, waitsForWebhooks } from './operation-flags.ts'

const waitFlags = {
  wait: string({
    description: 'How long to wait for the final status: seconds, or 500ms, 90s, 5m.',
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
    parse: async (name) => outcomeWord(name),
  }),
}

const clientRequestIdFlag = {
  'client-request-id': string({
    description: 'X-Client-Request-Id; default: a new one. Repeat one to force a duplicate.',
    helpGroup: 'CONNECTION',
  }),
}

const processing = {
  terminal: 'processed on a terminal',
  configurable: 'processed on a terminal or in the cloud',
  cloud: 'processed in the cloud',
} as const

/** The argument of the command, named as a flag is; undefined where it takes none. */
export function argumentFlag(name: OperationName) {
  const argument = argumentOf(name)
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
  const source =
    number === null ? 'of the public SDKs, not in the specification' : `${number} of the specification`
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
  ...(opens(name) ? waitFlags : {}),
  ...(hasOutcome(name) ? outcomeFlag : {}),
  ...(waitsForWebhooks(name) ? waitWebhooksFlags : {}),
  ...connection,
  ...(isLookUp(name) ? {} : liveFlag),
  ...clientRequestIdFlag,
})
