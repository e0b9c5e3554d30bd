import cardTable from '../../fixtures/cards.json' with { type: 'json' }
import merchantTable from '../../fixtures/merchants.json' with { type: 'json' }
import outcomeTable from '../../fixtures/outcomes.json' with { type: 'json' }
import type { MerchantAnswer } from '../contract/operations/look-ups.ts'
import type { TerminalProfile } from './model/terminal-profile.ts'

/** What the host answers, and when. A row of fixtures/outcomes.json. */
export interface Outcome {
  readonly name: string
  /** Result code of the host: `000` approves. */
  readonly code: string
  readonly message: string
  /** `SUCCESS` or `FAIL`. */
  readonly status: 'SUCCESS' | 'FAIL'
  /** The orderAmount (minor units) that triggers it, where there is one. */
  readonly amount?: number
  /** Milliseconds of the sandbox clock that the host takes; 0 where there is none. */
  readonly delay?: number
}

/** A test card: what a terminal reads from it. A row of fixtures/cards.json. assumption: fixtures */
export interface Card {
  readonly name: string
  /** A network's published test number; absent for a QR code. It is told only where a test card is chosen. */
  readonly number?: string
  readonly category: 'CARD' | 'EBT' | 'QR'
  readonly cardNetworkType: string
  readonly paymentMethod: string
  readonly subPaymentMethod?: string
  readonly entryMode: string | null
  readonly authenticationMethod: string
  /** Outcome by name, where the card decides it. */
  readonly outcome?: string
}

/** What a transaction records of its card. */
export interface CardRead {
  readonly maskedPan: string | null
  readonly cardNetworkType: string
  readonly paymentMethod: string
  readonly subPaymentMethod: string | null
  readonly entryMode: string | null
  readonly authenticationMethod: string
}

/** What the look-up tells of a merchant. */
export type MerchantDetails = Omit<MerchantAnswer, 'merchantId' | 'status' | 'midList'>

/** What nobody described of a merchant; its name is its id then. assumption: parties */
export const plainDetails = {
  mcc: '5999',
  country: 'USA',
  stateName: '',
  cityName: '',
  street: '',
  detailAddress: '',
  zipCode: '',
  createTime: '',
} as const satisfies Omit<MerchantDetails, 'dbaName'>

/** A merchant with its terminals. */
export interface MerchantProfile {
  readonly merchantId: string
  readonly details: MerchantDetails
  readonly timeZone: string
  /** Balance in minor units that every currency starts with. */
  readonly reserve: number
  /** Currencies that it takes; left out or null, every one. */
  readonly currencies?: readonly string[] | null
  readonly terminals: readonly TerminalProfile[]
}

/** A merchant that nobody described; time zone and balance are those of `model`. */
export const plainMerchant = (
  merchantId: string,
  model: Pick<MerchantProfile, 'timeZone' | 'reserve'> = { timeZone: 'UTC', reserve: 0 },
): MerchantProfile => ({
  merchantId,
  details: { ...plainDetails, dbaName: merchantId },
  timeZone: model.timeZone,
  reserve: model.reserve,
  terminals: [],
})

/** An API key. `since` and `validUntil`: sandbox time in ISO 8601; left out: not known, and without end. */
export interface KeyProfile {
  readonly key: string
  readonly environment: 'sandbox' | 'production'
  readonly since?: string
  readonly validUntil?: string
}

/** An application of a developer: its keys, its allow-list (empty: every address) and its merchants. */
export interface ApplicationProfile {
  readonly appId: string
  readonly keys: readonly KeyProfile[]
  readonly allowList: readonly string[]
  /** What its webhooks are signed with: `whsec_` and base64 of 32 bytes. */
  readonly webhookSecret: string
  readonly merchants: readonly MerchantProfile[]
}

/** Members of `changes` take the place of those of `base`; `null` removes a member, undefined leaves it. */
export function withMembers<T extends object>(base: T, changes: object): T {
  const all = { ...base }
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) Reflect.deleteProperty(all, name)
    else if (value !== undefined) Object.assign(all, { [name]: value })
  }
  return all
}

/** What a sandbox knows before anything happens: who may call, and what cards and hosts do. Plain data. */
export interface Fixtures {
  /** The default first. */
  readonly applications: readonly ApplicationProfile[]
  /** The default first. */
  readonly cards: readonly Card[]
  readonly outcomes: readonly Outcome[]
}

/** The fixtures of one sandbox, to be looked up in. */
export interface Catalogue extends Fixtures {
  readonly cardNamed: (name: string) => Card | undefined
  readonly outcomeNamed: (name: string) => Outcome | undefined
  /** The outcome that an orderAmount triggers, or undefined. */
  readonly outcomeOfAmount: (amount: number) => Outcome | undefined
  /** What the host answers when nothing decides otherwise. */
  readonly approval: Outcome
  /** What the host answers to the void of a transaction that was settled meanwhile. */
  readonly settledAnswer: Outcome
  /** What ends a payment after the last wrong PIN. */
  readonly wrongPinAnswer: Outcome
  /** What ends a payment with a method that no card fits. */
  readonly noCardAnswer: Outcome
}

/** Outcomes that rules name: every sandbox has them, and they end like this. */
export const outcomesOfRules = {
  approve: 'SUCCESS',
  'already-settled': 'FAIL',
  'pin-tries-exceeded': 'FAIL',
  'no-card-fits': 'FAIL',
} as const satisfies Readonly<Record<string, Outcome['status']>>

/** Plain words for outcomes, unless the fixtures have one of that name. */
const plainOutcomes: Readonly<Record<string, string>> = { decline: 'do-not-honor' }

/** Indexes fixtures, once for a sandbox. */
export function catalogueOf({ applications, cards, outcomes }: Fixtures): Catalogue {
  const cardsByName = new Map(cards.map((card) => [card.name, card]))
  const outcomesByName = new Map(outcomes.map((outcome) => [outcome.name, outcome]))
  const outcomesByAmount = new Map(
    outcomes.flatMap((outcome) => (outcome.amount ? [[outcome.amount, outcome]] : [])),
  )
  const ofRules = (name: keyof typeof outcomesOfRules): Outcome => {
    const outcome = outcomesByName.get(name)
    if (outcome === undefined) throw new Error(`the fixtures have no outcome ${name}`)
    return outcome
  }
  return {
    applications,
    cards,
    outcomes,
    cardNamed: (name) => cardsByName.get(name),
    outcomeNamed: (name) => outcomesByName.get(name) ?? outcomesByName.get(plainOutcomes[name] ?? ''),
    outcomeOfAmount: (amount) => outcomesByAmount.get(amount),
    approval: ofRules('approve'),
    settledAnswer: ofRules('already-settled'),
    wrongPinAnswer: ofRules('pin-tries-exceeded'),
    noCardAnswer: ofRules('no-card-fits'),
  }
}

/** What is read of a card that is presented in its usual entry mode. */
export const readCard = (card: Card): CardRead => ({
  maskedPan: card.number === undefined ? null : maskPan(card.number),
  cardNetworkType: card.cardNetworkType,
  paymentMethod: card.paymentMethod,
  subPaymentMethod: card.subPaymentMethod ?? null,
  entryMode: card.entryMode,
  authenticationMethod: card.authenticationMethod,
})

/** First six and last four digits. docs/api.md#record-masked-pan */
const maskPan = (number: string): string =>
  number.slice(0, 6) + '*'.repeat(number.length - 10) + number.slice(-4)

/** fixtures/outcomes.json: every outcome, the approval first. */
export const outcomes = outcomeTable as readonly Outcome[]

/** fixtures/cards.json: every test card, the default first. */
export const cards = cardTable as readonly Card[]

/** fixtures/merchants.json: every application, the default first. */
export const applications = merchantTable as readonly ApplicationProfile[]

/** What a sandbox has that is given no fixtures. */
export const builtIn: Catalogue = catalogueOf({ applications, cards, outcomes })

const published = new Set(
  applications.flatMap(({ keys, webhookSecret }) => [webhookSecret, ...keys.map(({ key }) => key)]),
)

/** True for a key or a webhook secret of the built-in fixtures, which everybody can read. assumption: keys */
export const isPublished = (secret: string): boolean => published.has(secret)
