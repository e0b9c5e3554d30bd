import { string as stringArg } from '@oclif/core/args'
import type { ArgInput, FlagInput } from '@oclif/core/interfaces'
import { call, control, waitForFinal } from '../../client/client.ts'
import { operationRequest, type RequestOptions } from '../../client/request/service-request.ts'
import type { Story } from '../../contract/control/control-answers.ts'
import { headerNames, sandboxHeaders } from '../../contract/headers.ts'
import { beginsOrder, commandArgument } from '../../contract/operation-members.ts'
import type { OpenedAnswer } from '../../contract/operations/in-person.ts'
import type { OriginalReference } from '../../contract/operations/request-members.ts'
import { isLookUp, type OperationName, operations } from '../../contract/operations.ts'
import type { TransactionRecord } from '../../contract/records.ts'
import { parseStatus } from '../../contract/statuses.ts'
import { BaseCommand } from '../base-command.ts'
import { requireLiveConsent, requireLiveFlag } from '../connection/live.ts'
import { type ConnectionFlags, type Profile, resolveProfile } from '../connection/profile.ts'
import { requireSandbox } from '../connection/sandbox-address.ts'
import { exitCodeOf, exitCodes } from '../errors/exit-codes.ts'
import { withLookUp } from '../errors/failure.ts'
import { type MemberFlags, nameFor } from '../errors/input-name.ts'
import { hint, warn } from '../hints/same-sandbox.ts'
import { canAsk } from '../input/confirmation.ts'
import { parseWait } from '../input/typed-values.ts'
import { tell } from '../output/color.ts'
import { inputMembers, isDryRun } from '../request/json-input.ts'
import { readyToWait, type WaitWebhooksFlags, waitForDeliveries } from '../webhook/wait-webhooks.ts'
import { missingInput, setNames, type TypedInput, withSetFields } from './check-input.ts'
import { earlierResult, ownerOf, resolveTransactionId } from './earlier-result.ts'
import { shortForms } from './friendly-members.ts'
import type { FlagValues } from './operation-flags.ts'
import { argumentFlag, commandFlags, descriptionOf, isAbortable, opens, usageOf } from './operation-flags.ts'
import { originalQuery, requestMembers, requestParties } from './operation-request.ts'

/** The user's input, and the target of the request. */
export interface ParsedCommand {
  readonly profile: Profile
  readonly flags: FlagValues
  readonly members: Readonly<Record<string, unknown>>
}

/**
 * The command of an operation: flags, request and help come from its row of the table. `render` shows its
 * answer; by default the transaction is shown. Another command overrides what stands before `run`.
 */
export function operationCommand<T extends object>(
  name: OperationName,
  render: (answer: T, profile: Profile) => Promise<string> = (answer, profile) =>
    drawOriginal(name, profile, answer),
) {
  const argument = argumentFlag(name)
  return class OperationCommand extends BaseCommand {
    static override summary = `${operations[name].summary}.`
    static override usage = usageOf(name)
    static override description = descriptionOf(name)
    static override args: ArgInput =
      argument === undefined ? {} : { [argument.name]: stringArg({ description: argument.description }) }
    static override memberFlags: MemberFlags = {
      ...setNames(name),
      ...shortForms,
      ...(argument && { [argument.member]: argument.name }),
    }
    static override flags: FlagInput = commandFlags(name)

    /** Adds members that a command makes by itself. */
    async complete(typed: ParsedCommand): Promise<ParsedCommand> {
      return typed
    }

    /** Shows details before a question. */
    async preview(_: ParsedCommand): Promise<void> {}

    /** Asks the command's own question, unless the question of a live service was answered. */
    async confirm(_: ParsedCommand): Promise<void> {}

    /** Sends the request; its answer. */
    async request({ profile, flags, members }: ParsedCommand): Promise<object> {
      let note: string | undefined
      const noted = (text: string) => {
        note = text
      }
      try {
        return await call<object>(profile.target, name, members, { ...requestOptions(flags), noted })
      } catch (error) {
        throw isLookUp(name) ? error : withLookUp(error as Error, name, members)
      } finally {
        if (note !== undefined) await tellNote(note, (field) => nameFor(field, this.ctor, this.argv))
      }
    }

    /** Shows an answer that needs no wait. */
    async report(profile: Profile, data: object): Promise<void> {
      await this.show(data, () => render(data as T, profile))
    }

    async run(): Promise<void> {
      const { args: argSpecs, flags: flagSpecs, baseFlags } = this.ctor as typeof OperationCommand
      const { args, flags } = await this.parse({ args: argSpecs, flags: flagSpecs, baseFlags })
      const allFlags = withSetFields(name, flags as FlagValues & ConnectionFlags)
      const [original] = Object.values(args) as readonly (string | undefined)[]
      typedWaitMs(allFlags)
      const typed = await this.#completed({ original, flags: allFlags, input: await inputMembers(allFlags) })
      if (isDryRun(allFlags)) return this.showAsIs(...(await draftOf(name, typed)))
      await this.preview(typed)
      const isConfirmed = !isLookUp(name) && (await requireConsent(name, typed))
      if (!isConfirmed) await this.confirm(typed)
      const settling = allFlags as FlagValues & WaitWebhooksFlags
      await readyToWait(typed.profile.target, settling)
      const data = await this.request(typed)
      if (opens(name)) {
        await this.#follow(typed.profile, allFlags, data as OpenedAnswer)
        await warnOfIgnoredOutcome(typed, data as OpenedAnswer)
      } else await this.report(typed.profile, data)
      await waitForDeliveries(typed.profile.target, settling, { transactionIds: transactionsIn(data) })
    }

    /** The input with answers to questions and looked-up values. */
    async #completed(
      input: TypedInput & { readonly flags: FlagValues & ConnectionFlags },
    ): Promise<ParsedCommand> {
      if (input.original !== undefined) earlierResult(input.original)
      const missing = missingInput(name, input)
      const [first] = missing
      if (first !== undefined && !canAsk(input.flags.input)) throw first.error
      const connected = await resolveProfile(
        input.flags,
        this.config.version,
        isDryRun(input.flags) || isLookUp(name) ? 'people' : beginsOrder(name) ? 'everybody' : 'refused',
      )
      const profile = { ...connected, parties: requestParties(connected, input) }
      if (!isDryRun(input.flags) && !isLookUp(name))
        await requireLiveFlag(profile, commandName(name), input.flags.live === true)
      if (input.flags.outcome !== undefined) await requireSandbox(profile, '--outcome')
      const named = { ...input, original: await originalId(name, input.original, profile) }
      const { original, flags } =
        first === undefined
          ? named
          : await (await import('./ask-missing.ts')).askMissing(name, missing, named, profile)
      const members = await requestMembers(name, original, flags, { ...profile, input: input.input })
      return this.complete({ profile, flags, members })
    }

    /** Waits for the final status, or shows that the request was accepted. */
    async #follow(profile: Profile, flags: FlagValues, answer: OpenedAnswer): Promise<void> {
      if (flags['no-wait']) {
        await this.report(profile, answer)
        if (flags.json || exitCodeOf(parseStatus(answer.transactionStatus ?? '')) !== exitCodes.notFinal)
          return
        return tellWhatNext(name, profile, answer.transactionId)
      }
      const record = await lastRecord(profile, typedWaitMs(flags), answer.transactionId)
      if (record === undefined) await this.show(answer, () => '')
      else await this.show(record, () => drawRecord(profile, record))
      process.exitCode = exitCodeOf(record && parseStatus(record.transactionStatus))
      if (process.exitCode === exitCodes.notFinal) await tellWhatNext(name, profile, answer.transactionId)
    }
  }
}

/** The id that the argument names. */
async function originalId(name: OperationName, typed: string | undefined, profile: Profile) {
  const isId = typed === undefined || commandArgument(name)?.name === 'sessionId'
  return isId ? typed : resolveTransactionId(typed, ownerOf(profile), name)
}

/** The request as it would be sent: as a document, and for people. */
async function draftOf(name: OperationName, { profile, flags, members }: ParsedCommand) {
  const { renderDraft } = await import('../request/show-request.ts')
  const { target } = profile
  const typed = flags['client-request-id'] === undefined ? [] : [headerNames.clientRequestId]
  const request = operationRequest(target, name, members, requestOptions(flags))
  return renderDraft(request, { curl: flags.curl === true, ca: target.ca, typed })
}

/** Shows a note of the service with the flag in place of the field: `--terminal: waits for …`. */
async function tellNote(note: string, flagFor: (field: string) => string | undefined): Promise<void> {
  const { renderReport } = await import('../output/request-line.ts')
  const named = note.replace(/^[a-z]\w*(?=: )/, (field) => flagFor(field) ?? field)
  tell(renderReport(hint(named)))
}

/** Without extras a sandbox does not obey the header, and its answer does not say so. */
async function warnOfIgnoredOutcome({ profile, flags }: ParsedCommand, { transactionId }: OpenedAnswer) {
  if (flags.outcome === undefined) return
  const { rule = null } = (await sandboxStory(profile, transactionId)) ?? {}
  if (rule !== null && rule !== 'header')
    warn(`--outcome ${flags.outcome} was ignored: the rule ${rule} decided. See \`tillbox docs terminals\``)
}

/**
 * The last record after at most `waitMs`, or undefined when no query was answered; meanwhile it prints what
 * the payment waits for. Ctrl-C ends the wait as its time limit does.
 */
export async function lastRecord(profile: Profile, waitMs: number, transactionId: string) {
  const { waitingFacts, waitingNotes } = await import('./waiting-notes.ts')
  const notes = waitingNotes(() => waitingFacts(profile, transactionId))
  const leaving = new AbortController()
  const leave = () => leaving.abort()
  process.once('SIGINT', leave)
  const { target, parties } = profile
  try {
    return await waitForFinal(target, { ...parties, transactionId }, waitMs, notes.watch, leaving.signal)
  } finally {
    process.off('SIGINT', leave)
    notes.end()
  }
}

/** How to continue an open payment, and what it waits for. */
export async function tellWhatNext(name: OperationName, profile: Profile, id: string) {
  const { renderGoOn, waitingFacts } = await import('./waiting-notes.ts')
  tell(renderGoOn(id, await waitingFacts(profile, id), isAbortable(name)))
}

/** A transaction for people, with what its sandbox knows of it. */
export async function drawRecord(profile: Profile, record: TransactionRecord): Promise<string> {
  const { renderRecord } = await import('../output/render-record.ts')
  return renderRecord(record, await sandboxStory(profile, record.transactionId))
}

/** An answer for people, with the original that it names; its fields where that cannot be shown. */
export async function drawOriginal(
  name: OperationName,
  profile: Profile,
  answer: object,
  reference: OriginalReference = answer,
): Promise<string> {
  const named = originalQuery(reference)
  if (!opens(name) && Object.keys(named).length > 0) {
    const query = { ...profile.parties, ...named }
    const record = await call<TransactionRecord>(profile.target, 'query', query).catch(() => undefined)
    if (record !== undefined) return drawRecord(profile, record)
  }
  const { renderAnswer } = await import('../output/render-record.ts')
  const { command, summary } = operations[name]
  return renderAnswer(isLookUp(name) ? summary : `${command} accepted`, answer)
}

const commandName = (name: OperationName): string => `tillbox ${operations[name].command}`

const requireConsent = (name: OperationName, { profile, flags, members }: ParsedCommand): Promise<boolean> =>
  requireLiveConsent(profile, commandName(name), flags.live === true, async () =>
    (await import('./live-effect.ts')).liveEffectOf(name, members, profile),
  )

const typedWaitMs = ({ wait }: FlagValues): number => parseWait(String(wait ?? '0'), 'wait')

function transactionsIn(data: object): string[] | undefined {
  const { transactionId, originalTransactionId } = data as OriginalReference & {
    readonly transactionId?: string
  }
  const ids = [transactionId, originalTransactionId].filter((id) => typeof id === 'string')
  return ids.length === 0 ? undefined : ids
}

const requestOptions = ({ 'client-request-id': id, outcome }: FlagValues): RequestOptions => ({
  clientRequestId: id === undefined ? undefined : String(id),
  headers: outcome === undefined ? {} : { [sandboxHeaders.outcome]: String(outcome) },
})

/** Facts about a transaction that only a sandbox has; undefined for another service. */
async function sandboxStory(profile: Profile, transactionId: string): Promise<Story | undefined> {
  if (!profile.isSandbox) return undefined
  const names = { id: transactionId }
  return control(profile.target, 'transaction', undefined, { names }).catch(() => undefined)
}
