import {
  type ApplicationProfile,
  type Card,
  type Fixtures,
  type MerchantProfile,
  type Outcome,
  plainDetails,
  withMembers,
} from '../../domain/fixtures.ts'
import type { TerminalProfile } from '../../domain/model/terminal-profile.ts'
import type { Path, Problem, Source } from './fixtures-problems.ts'
import type {
  FixturesFile,
  GivenApplication,
  GivenCard,
  GivenMerchant,
  GivenOutcome,
  GivenTerminal,
} from './fixtures-schema.ts'

/** Where an entry was read. */
interface FixtureOrigin {
  readonly source: Source
  readonly path: Path
}

/** Fixtures put together, and where what did not come with the sandbox was given. */
export interface MergedFixtures {
  readonly fixtures: Fixtures
  /** Of applications, merchants, terminals, keys, cards and outcomes. */
  readonly origins: ReadonlyMap<object, FixtureOrigin>
  readonly problems: readonly Problem[]
}

/** A checked file. */
export interface CheckedFile {
  readonly source: Source
  readonly file: FixturesFile
}

const nothing: Fixtures = { applications: [], cards: [], outcomes: [] }

/**
 * Puts the files over the fixtures that come with the sandbox: an entry with a known name changes the members
 * that it has, and keeps its place; any other is added at the end. assumption: fixtures
 */
export function merge(builtIn: Fixtures, files: readonly CheckedFile[]): MergedFixtures {
  const start = files.some(({ file }) => file.extends === false) ? nothing : builtIn
  const merger = new Merger()
  const fixtures = files.reduce((merged, { source, file }) => merger.add(merged, file, source), start)
  return { fixtures, origins: merger.origins, problems: merger.problems }
}

interface ListMerge<T, G> {
  /** The member that names an entry. */
  readonly by: keyof T & keyof G & string
  /** Members that a new entry must have. */
  readonly needs: readonly (keyof G & string)[]
  /** The entry as it is then; `before` is undefined for a new one. */
  readonly entry: (entry: G, before: T | undefined, origin: FixtureOrigin) => T
}

class Merger {
  readonly origins = new Map<object, FixtureOrigin>()
  readonly problems: Problem[] = []

  add(base: Fixtures, file: FixturesFile, source: Source): Fixtures {
    const at = (member: string): FixtureOrigin => ({ source, path: [member] })
    return {
      applications: this.#list(base.applications, file.applications, at('applications'), this.#applications),
      cards: this.#list(base.cards, file.cards, at('cards'), cardEntries),
      outcomes: this.#list(base.outcomes, file.outcomes, at('outcomes'), outcomeEntries),
    }
  }

  readonly #applications: ListMerge<ApplicationProfile, GivenApplication> = {
    by: 'appId',
    needs: ['webhookSecret'],
    entry: ({ keys, merchants, ...members }, before, origin) => ({
      ...withMembers<Omit<ApplicationProfile, 'keys' | 'merchants'>>(
        before ?? { appId: members.appId, webhookSecret: '', allowList: [] },
        members,
      ),
      keys: this.#list(before?.keys ?? [], keys, inside(origin, 'keys'), keyEntries),
      merchants: this.#list(before?.merchants ?? [], merchants, inside(origin, 'merchants'), this.#merchants),
    }),
  }

  readonly #merchants: ListMerge<MerchantProfile, GivenMerchant> = {
    by: 'merchantId',
    needs: [],
    entry: ({ details, terminals, ...members }, before, origin) => ({
      ...withMembers<Omit<MerchantProfile, 'details' | 'terminals'>>(
        before ?? { merchantId: members.merchantId, timeZone: 'UTC', reserve: usualReserve },
        members,
      ),
      details: withMembers(before?.details ?? { ...newDetails, dbaName: members.merchantId }, details ?? {}),
      terminals: this.#list(before?.terminals ?? [], terminals, inside(origin, 'terminals'), terminalEntries),
    }),
  }

  #list<T extends object, G extends object>(
    base: readonly T[],
    fileEntries: readonly G[] | undefined,
    { source, path }: FixtureOrigin,
    { by, needs, entry }: ListMerge<T, G>,
  ): readonly T[] {
    if (fileEntries === undefined) return base
    const entries = new Map<unknown, T>(base.map((each) => [each[by], each]))
    const seen = new Map<unknown, number>()
    fileEntries.forEach((each, index) => {
      const origin = { source, path: [...path, index] }
      const name: unknown = each[by]
      const first = seen.get(name)
      const before = entries.get(name)
      const refuse = (member: string, reason: string) =>
        this.problems.push({ source, path: [...origin.path, member], reason })
      if (first !== undefined) refuse(by, `is already used by ${path.at(-1)}[${first}]`)
      else seen.set(name, index)
      if (before === undefined)
        for (const member of needs)
          if (each[member] == null) refuse(member, `is required: ${String(name)} is not known yet`)
      const merged = entry(each, before, origin)
      this.origins.set(merged, origin)
      entries.set(name, merged)
    })
    return [...entries.values()]
  }
}

const inside = ({ source, path }: FixtureOrigin, member: string): FixtureOrigin => ({
  source,
  path: [...path, member],
})

const keyEntries: ListMerge<
  ApplicationProfile['keys'][number],
  NonNullable<GivenApplication['keys']>[number]
> = {
  by: 'key',
  needs: [],
  entry: (entry, before) => withMembers(before ?? { key: entry.key, environment: 'sandbox' }, entry),
}

const terminalEntries: ListMerge<TerminalProfile, GivenTerminal> = {
  by: 'terminalSn',
  needs: [],
  entry: (entry, before) =>
    withMembers(
      before ?? {
        terminalSn: entry.terminalSn,
        summary: entry.mode === 'attended' ? 'needs manual or scripted input' : 'acts by itself',
        mode: 'auto',
      },
      entry,
    ),
}

const cardEntries: ListMerge<Card, GivenCard> = {
  by: 'name',
  needs: ['paymentMethod'],
  entry: (entry, before) => {
    const category = entry.category ?? before?.category ?? 'CARD'
    const plain: Card = {
      name: entry.name,
      category,
      cardNetworkType: networkTypes[category],
      paymentMethod: '',
      entryMode: null,
      authenticationMethod: 'NOT_AUTHENTICATED',
    }
    const card = withMembers(before ?? plain, entry)
    return { ...card, entryMode: card.entryMode ?? (category === 'QR' ? null : 'CONTACTLESS') }
  },
}

/** Kind of account of a new card that names none. */
const networkTypes = { CARD: 'CREDIT', EBT: 'EBT', QR: 'UNKNOWN' } as const

const outcomeEntries: ListMerge<Outcome, GivenOutcome> = {
  by: 'name',
  needs: ['code', 'message', 'status'],
  entry: (entry, before) =>
    withMembers(before ?? { name: entry.name, code: '', message: '', status: 'FAIL' }, entry),
}

/** Minor units that every currency of a new merchant starts with. assumption: balance */
const usualReserve = 10_000_000

/** Details of a new merchant, as far as it names none. */
const newDetails = { ...plainDetails, createTime: '2026-01-05T09:00:00' }
