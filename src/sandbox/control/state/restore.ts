import { reject } from '../../../contract/errors.ts'
import { isPublished } from '../../../domain/fixtures.ts'
import { noSettings, type Settings } from '../../../domain/settings.ts'
import { continueNumbering, countTransactions, type State } from '../../../domain/state.ts'
import { counted } from '../../../shared/text/words.ts'
import type { ReplaceSteps } from '../../engine/engine.ts'
import { factsFromSettings, type SnapshotFacts } from '../../store/file/state-file.ts'
import { webhookSecrets } from '../../webhooks/secrets.ts'
import type { ControlContext } from '../control-context.ts'

/** Options of a saved state. */
export interface SaveOptions {
  /** Null for an export. */
  readonly name: string | null
  /** Includes added applications, keys, webhook secrets and allow-lists. */
  readonly withAccess?: boolean
}

/** Runs `work` with the whole state and its facts, while all of it is durable and nothing changes. */
export function whileStill<T>(
  context: ControlContext,
  options: SaveOptions,
  work: (state: State, facts: SnapshotFacts) => T | Promise<T>,
): Promise<T> {
  const { clockQueue, engine } = context
  return clockQueue.run(() =>
    engine.whileDurable((state) => work(state, snapshotFacts(context, state, options))),
  )
}

/** What is saved beside a state. */
export function snapshotFacts(
  context: ControlContext,
  state: State,
  { name, withAccess = false }: SaveOptions = { name: null },
): SnapshotFacts {
  const { clock, faults, settings } = context
  const { webhookOrder, webhookHold } = settings.data
  return {
    name,
    savedAt: new Date(clock.wall()).toISOString(),
    sandboxTime: new Date(clock.now()).toISOString(),
    transactions: countTransactions(state),
    settings: { clock: clock.state, faultRules: [...faults.rulesWithCounts], webhookOrder, webhookHold },
    ...(withAccess && { access: accessFacts(context) }),
  }
}

/**
 * Who may call, and what webhooks are signed with: also keys and secrets of the start, its fixtures or its
 * space, which another sandbox does not have. Built-in ones are left out, because everybody can read them.
 * assumption: restore
 */
function accessFacts({ settings, directory }: ControlContext): NonNullable<SnapshotFacts['access']> {
  const { applications, allowLists } = settings.data
  const all = directory.applications.map((application) => ({
    appId: application.appId,
    keys: [...directory.keysOf(application)],
    secret: webhookSecrets(settings.data, application),
  }))
  const keys = all.filter((each) => each.keys.some(({ key }) => !isPublished(key)))
  const secrets = all.filter(({ secret: { current } }) => current !== '' && !isPublished(current))
  return {
    applications,
    allowLists,
    keys: Object.fromEntries(keys.map((each) => [each.appId, each.keys])),
    secrets: Object.fromEntries(secrets.map(({ appId, secret }) => [appId, secret])),
  }
}

type RestoredFacts = Pick<SnapshotFacts, 'settings' | 'access'>

/**
 * Replaces the state by a saved one: ledgers, request ids, clock and faults, and the access settings if it
 * has them. `onlyIfEmpty`: only in a sandbox without transactions. All or nothing, also in a crash. Resolves
 * to the previous number of transactions. assumption: restore
 */
export function restore(
  context: ControlContext,
  { state, facts }: { readonly state: State; readonly facts: RestoredFacts },
  { onlyIfEmpty = false, before }: Pick<ReplaceSteps, 'before'> & { readonly onlyIfEmpty?: boolean } = {},
): Promise<number> {
  const { clockQueue, settingsQueue, engine, clock, settings, directory, faults } = context
  const alone = <T>(work: () => Promise<T>) => clockQueue.run(() => settingsQueue.run(work)) // no change is half-done
  return alone(async () => {
    let replaced = 0
    let next: Settings = settings.data
    const make = () => {
      replaced = countTransactions(engine.state)
      if (onlyIfEmpty && replaced > 0)
        reject('SBX_NOT_EMPTY', { field: 'replace', detail: `it has ${counted(replaced, 'transaction')}` })
      return continueNumbering(state, engine.state)
    }
    await engine.reset(make, {
      before,
      settings: () => {
        next = settingsAfter(settings.data, facts)
        return next
      },
      committed: () => {
        Object.assign(settings.data, next)
        clock.follow(next.clock)
        faults.reload()
        if (facts.access !== undefined) directory.adopt()
      },
    })
    engine.clockChanged()
    return replaced
  })
}

/** Deletes all transactions; terminal settings, clock, faults and snapshots stay. */
export const empty = ({ engine, emptyState }: ControlContext): Promise<void> => engine.reset(emptyState)

/** Resets everything to a new sandbox, except snapshots. All or nothing. */
export async function startAnew(context: ControlContext): Promise<void> {
  await restore(context, { state: context.newState(), facts: factsFromSettings(noSettings()) })
  context.log.clear()
  context.changes.tellAll()
}

/** The settings after a restore; access settings stay, unless the restored state has its own. */
const settingsAfter = (before: Settings, { settings, access }: RestoredFacts): Settings => ({
  ...before,
  ...settings,
  faultRules: [...settings.faultRules],
  ...access,
})
