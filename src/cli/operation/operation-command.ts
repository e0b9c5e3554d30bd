import { string as stringArg } from '@oclif/core/args'
import { boolean, integer, string } from '@oclif/core/flags'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { call, control } from '../../client/client.ts'
import { waitForFinal } from '../../client/wait.ts'
import type { OpenedAnswer } from '../../contract/answers.ts'
import { sandboxHeaders } from '../../contract/headers.ts'
import { argumentOf, flagName, needs } from '../../contract/operation-members.ts'
import { type OperationName, operations } from '../../contract/operations.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import type { Story } from '../../contract/sandbox/answers.ts'
import { isFinal, type Status, statusOf } from '../../contract/statuses.ts'
import { outcomes } from '../../fixtures.ts'
import { BaseCommand } from '../base-command.ts'
import { type ConnectionFlags, connectionFlags, type Profile, profileOf } from '../connection/profile.ts'
import { exitCodes, exitHelp } from '../errors/exit-codes.ts'
import { repeatedFlags } from '../errors/repeated-flags.ts'
import { clean } from '../output/clean.ts'
import { checkInput } from './check-input.ts'
import { operationFlags } from './operation-flags.ts'
import { hasOutcome, isAbortable, opens } from './operation-kinds.ts'
import { type FlagValues, type OriginalPair, queryOf, requestOf } from './operation-request.ts'

const waitFlags = {
  wait: integer({
    description: 'Seconds to wait for the final status.',
    default: 60,
    min: 0,
    exclusive: ['no-wait'],
  }),
  'no-wait': boolean({ description: 'Return as soon as the request is accepted.' }),
}

const outcomeFlag = {
  outcome: string({
    description: `Outcome that a sandbox shall produce: ${outcomes.map(({ name }) => name).join(', ')}, or one of its --fixtures.`,
    helpValue: '<name>',
    helpGroup: 'SANDBOX',
  }),
}

const clientRequestIdFlag = {
  'client-request-id': string({
    description: 'X-Client-Request-Id; default: a new one. Repeat one to force a duplicate.',
    helpGroup: 'CONNECTION',
  }),
}

const places = {
  terminal: 'processed on a terminal',
  configurable: 'processed on a terminal or in the cloud',
  cloud: 'processed in the cloud',
} as const

/** The shape of the command line, without the long list of flags. */
function usageOf(name: OperationName): string {
  const { command, input } = operations[name]
  const argument = argumentOf(name)
  const usage = argument === undefined ? '' : ` [${flagName(argument.name).toUpperCase()}]`
  const money = ['amount', 'tipAmount'].find((member) => member in input.entries && needs(name, member))
  return `${command}${usage}${money === undefined ? '' : ` --${flagName(money)} <amount>`} [FLAGS]`
}

/** Where the operation comes from, and where it is processed. */
function descriptionOf(name: OperationName): string {
  const { number, method, path, runs } = operations[name]
  const source =
    number === null ? 'of the public SDKs, not in the specification' : `${number} of the specification`
  return `${method} ${path} (${source}), ${places[runs]}.\n\n${exitHelp}`
}

/** What a person typed, and where it goes. */
export interface ParsedCommand {
  readonly profile: Profile
  readonly flags: FlagValues
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * The command of an operation: flags, request and help come from its row of the table. `render` shows its answer; left
 * out, the transaction that it is about is shown.
 */
export function operationCommand<T extends object>(
  name: OperationName,
  render?: (answer: T) => Promise<string>,
) {
  const named = argumentOf(name)
  const argument = named && { ...named, name: flagName(named.name) }
  return class OperationCommand extends BaseCommand {
    static override summary = `${operations[name].summary}.`
    static override usage = usageOf(name)
    static override description = descriptionOf(name)
    static override args: ArgInput =
      argument === undefined ? {} : { [argument.name]: stringArg({ description: argument.description }) }
    static override memberFlags = argument === undefined ? {} : { [argument.member]: argument.name }
    static override flags: FlagInput = {
      ...operationFlags(name),
      ...(opens(name) ? waitFlags : {}),
      ...(hasOutcome(name) ? outcomeFlag : {}),
      ...connectionFlags,
      ...clientRequestIdFlag,
    }

    async run(): Promise<void> {
      const { args: known, flags: own, baseFlags } = this.ctor as typeof OperationCommand
      const { args, flags } = await this.parse({ args: known, flags: own, baseFlags })
      const given = flags as FlagValues & ConnectionFlags
      const [original] = Object.values(args) as readonly (string | undefined)[]
      checkInput(name, original, given)
      const profile = await profileOf(given, this.config.version)
      const members = await requestOf(name, original, given, profile)
      const typed = { profile, flags: given, members }
      const asJson = given.json === true
      if (!(await this.confirmed(typed)))
        return this.show(asJson, { status: 'kept' }, () => 'Nothing was changed.\n')
      const data = await this.request(typed)
      if (opens(name)) await this.follow(profile, given, data as OpenedAnswer)
      else await this.report(profile, asJson, data)
    }

    /** False when the person thinks better of it. */
    async confirmed(_: ParsedCommand): Promise<boolean> {
      return true
    }

    /** Sends the request and returns the data of its answer. */
    async request({ profile, flags, members }: ParsedCommand): Promise<object> {
      return call<object>(profile.target, name, members, {
        clientRequestId: flags['client-request-id'] as string | undefined,
        noted: (text) => process.stderr.write(`! ${clean(text)}\n`),
        headers: flags.outcome === undefined ? {} : { [sandboxHeaders.outcome]: String(flags.outcome) },
      })
    }

    /** Waits for the final status, or shows that the request was accepted. */
    async follow(profile: Profile, flags: FlagValues, answer: OpenedAnswer): Promise<void> {
      const asJson = flags.json === true
      if (flags['no-wait']) {
        await this.report(profile, asJson, answer)
        return asJson ? undefined : this.tellHowToGoOn(answer.transactionId)
      }
      const record = await this.await(profile, Number(flags.wait), answer.transactionId)
      if (record === undefined) await this.show(asJson, answer, () => '')
      else await this.show(asJson, record, () => this.render(profile, record))
      process.exitCode = exitCodeOf(record && statusOf(record.transactionStatus))
      if (process.exitCode === exitCodes.notFinal) this.tellHowToGoOn(answer.transactionId)
    }

    async await(
      { target, parties }: Profile,
      seconds: number,
      transactionId: string,
    ): Promise<TransactionRecord | undefined> {
      const { StatusLine } = await import('../output/status-line.ts')
      const line = new StatusLine()
      const leave = () => {
        line.clear()
        this.tellHowToGoOn(transactionId)
        process.exit(exitCodes.notFinal)
      }
      process.once('SIGINT', leave)
      const watch = (status?: Status) => line.say(`${status ?? 'no answer yet'}  ${transactionId}`)
      try {
        return await waitForFinal(target, { ...parties, transactionId }, seconds * 1000, watch)
      } finally {
        process.off('SIGINT', leave)
        line.clear()
      }
    }

    tellHowToGoOn(id: string): void {
      const next = `${clean(id)}${clean(repeatedFlags(this.argv))}`
      const giveUp = isAbortable(name) ? `  give up     tillbox abort ${next}\n` : ''
      process.stderr.write(`Not final yet.\n  look again  tillbox query ${next}\n${giveUp}`)
    }

    async render(profile: Profile, record: TransactionRecord): Promise<string> {
      const { renderRecord } = await import('../output/record.ts')
      return renderRecord(record, await storyOf(profile, record.transactionId))
    }

    /** Shows an answer that nothing is waited for; for a person, the transaction it is about. */
    async report(profile: Profile, asJson: boolean, data: object): Promise<void> {
      await this.show(asJson, data, () => this.draw(data, profile))
      if (name === 'abort' && statusOf((data as OpenedAnswer).transactionStatus) !== 'CLOSED') {
        process.stderr.write('Too late to abort: the host was already asked, and its answer stands.\n')
        process.exitCode = exitCodes.notFinal
      }
    }

    /** The answer for a person: the transaction it is about, or what it says. */
    async draw(data: object, profile: Profile): Promise<string> {
      if (render !== undefined) return render(data as T)
      const record = name === 'query' ? (data as TransactionRecord) : await this.original(profile, data)
      if (record !== undefined) return this.render(profile, record)
      const { renderAnswer } = await import('../output/record.ts')
      return renderAnswer(`${operations[name].command} accepted`, data)
    }

    /** The transaction that was acted on; undefined when it cannot be shown, for what was asked for is done. */
    async original({ target, parties }: Profile, data: OriginalPair): Promise<TransactionRecord | undefined> {
      if (opens(name) || argumentOf(name) === undefined) return undefined
      return call<TransactionRecord>(target, 'query', { ...parties, ...queryOf(data) }).catch(() => undefined)
    }
  }
}

/** What only a sandbox can tell of a transaction; nothing where the service is another one. */
async function storyOf(profile: Profile, transactionId: string): Promise<Story | undefined> {
  if (!profile.isSandbox) return undefined
  const names = { id: transactionId }
  return control(profile.target, 'transaction', undefined, { names }).catch(() => undefined)
}

function exitCodeOf(status: Status | undefined): number {
  if (status === undefined || !isFinal(status)) return exitCodes.notFinal
  return status === 'SUCCESS' ? exitCodes.done : exitCodes.unsuccessful
}
