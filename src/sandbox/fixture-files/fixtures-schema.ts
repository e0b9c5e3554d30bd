import * as v from 'valibot'
import { hasCheckDigit } from '../../contract/card-numbers.ts'
import { isAddressRange } from '../../contract/control/addresses.ts'
import { serialNumber, terminalSettings } from '../../contract/control/controls/terminal-controls.ts'
import { isCurrency } from '../../contract/currencies.ts'
import { limits } from '../../contract/headers.ts'
import {
  exists,
  flag,
  whole as integer,
  isoTime,
  maxCharacters,
  notReserved,
  oneOf,
  optional,
} from '../../contract/member-kinds.ts'
import { outcomesOfRules } from '../../domain/fixtures.ts'
import { readOr } from '../../shared/read-or.ts'
import { described, only as members } from './fixtures-problems.ts'

/**
 * What a fixtures file may say. An entry that names a known one changes the members that it has; `null` takes
 * an optional member away. What a new entry needs besides its name is checked after the files are put
 * together.
 */

/** YAML reads digits without quotes as a number. */
const textMessage = ({ input }: { readonly input: unknown }): string =>
  typeof input === 'number' || typeof input === 'boolean' ? 'must be text: put it in quotes' : 'must be text'

const text = (help: string, longest: number) =>
  v.pipe(
    v.string(textMessage),
    v.minLength(1, 'must not be empty'),
    maxCharacters(longest),
    v.description(help),
  )

const freeText = (help: string, longest: number) =>
  v.pipe(v.string(textMessage), maxCharacters(longest), v.description(help))

const checkedText = (isRight: (value: string) => boolean, form: string) =>
  v.pipe(v.string(textMessage), v.check(isRight, form))

const patterned = (help: string, pattern: RegExp, what: string) =>
  v.pipe(v.string(textMessage), v.regex(pattern, `must be ${what}`), v.description(help))

const whole = (help: string, least: number, most: number) => integer(help, least, most, 'a whole number')

const printable = (help: string) =>
  v.pipe(patterned(help, /^[\x21-\x7e]{1,32}$/, '1 to 32 printable characters without spaces'), notReserved)

const list = <const S extends v.GenericSchema>(item: S, help: string) =>
  v.pipe(v.array(item, 'must be a list'), v.description(help))

/** Also for a known entry: it can be changed, and not taken away. */
const set = <const S extends v.GenericSchema>(schema: S) => v.optional(schema)

const name = (help: string) =>
  patterned(
    help,
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,63}$/,
    '1 to 64 letters, digits, dots, dashes or underscores, beginning with a letter or digit',
  )

/** Intl fails for a zone that it does not know. */
const isTimeZone = (timeZone: string): boolean =>
  readOr(false, () => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone !== '')

const terminal = members({
  terminalSn: serialNumber,
  summary: set(text('What it does when left alone, in words', 128)),
  ...terminalSettings,
  mode: set(terminalSettings.mode.wrapped),
  occupied: optional(flag('Always busy')),
  outcome: optional(name('Outcome of every transaction, by name')),
  cancels: optional(flag('Presses cancel')),
  card: optional(name('Card that is presented, by name')),
})

const details = members({
  dbaName: set(text('Name that customers know', 64)),
  mcc: set(patterned('Merchant category, ISO 18245', /^\d{4}$/, '4 digits')),
  country: set(patterned('ISO 3166-1 alpha-3', /^[A-Z]{3}$/, '3 capitals, such as USA')),
  stateName: set(freeText('State or province', 64)),
  cityName: set(freeText('City', 64)),
  street: set(freeText('Street', 128)),
  detailAddress: set(freeText('Rest of the address', 128)),
  zipCode: set(freeText('Postal code', 16)),
  createTime: set(
    v.pipe(
      patterned(
        'When it was registered, in its time zone',
        /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d$/,
        'a local time, such as 2026-01-05T09:00:00',
      ),
      v.check(exists, 'must be a time that exists'),
    ),
  ),
})

const merchant = members({
  merchantId: printable('Merchant'),
  timeZone: described(
    checkedText(isTimeZone, 'must be a time zone that this Node.js knows, such as Europe/Berlin'),
    'Time zone of its records; UTC when left out',
  ),
  reserve: set(whole('Balance in minor units that every currency starts with', 0, limits.amount)),
  currencies: optional(
    list(
      checkedText(isCurrency, 'must be an active ISO 4217 code, such as EUR'),
      'Currencies that it takes; every one when left out',
    ),
  ),
  details: set(details),
  terminals: set(list(terminal, 'Terminals, by terminalSn')),
})

const key = members({
  key: patterned(
    'API key, invented: it is not a secret here',
    /^[A-Za-z0-9\-._~+/]{8,128}=*$/,
    '8 to 128 characters out of A–Z a–z 0–9 - . _ ~ + /',
  ),
  environment: set(oneOf('The sandbox takes those of sandbox', ['sandbox', 'production'])),
  validUntil: optional(isoTime('When it expires')),
})

const application = members({
  appId: printable('Application'),
  webhookSecret: set(
    patterned(
      'What its webhooks are signed with',
      /^whsec_(?:[A-Za-z0-9+/]{4}){8,21}(?:[A-Za-z0-9+/]{2}==|[A-Za-z0-9+/]{3}=)?$/,
      'whsec_ and the base64 of 24 to 64 bytes',
    ),
  ),
  keys: set(list(key, 'API keys, by key')),
  allowList: set(
    list(
      checkedText(isAddressRange, 'must be an IP address, or a range such as 10.0.0.0/8'),
      'Addresses and ranges that may call; empty: every one',
    ),
  ),
  merchants: set(list(merchant, 'Merchants, by merchantId')),
})

const card = members({
  name: name('Name of the card'),
  number: optional(
    v.pipe(
      v.string(textMessage),
      v.regex(/^\d{12,19}$/, 'must be 12 to 19 digits'),
      v.check(hasCheckDigit, 'does not pass the Luhn check: its last digit is wrong'),
      v.description('Test number; none for a QR code'),
    ),
  ),
  category: set(oneOf('Kind of payment', ['CARD', 'EBT', 'QR'])),
  cardNetworkType: set(oneOf('Kind of account', ['CREDIT', 'DEBIT', 'EBT', 'EGC', 'UNKNOWN'])),
  paymentMethod: set(text('Network, such as VISA', 32)),
  subPaymentMethod: optional(text('Sub-method, such as SNAP', 32)),
  entryMode: optional(
    oneOf('How it is read; none for a QR code', [
      'CONTACTLESS',
      'CONTACT',
      'SWIPE',
      'MANUAL',
      'FALLBACK_SWIPE',
    ]),
  ),
  authenticationMethod: set(
    oneOf('How the cardholder is verified', ['NOT_AUTHENTICATED', 'PIN', 'OFFLINE_PIN', 'SIGNATURE']),
  ),
  outcome: optional(name('Outcome that the card decides, by name')),
})

const outcome = members({
  name: name('Name of the outcome'),
  code: set(patterned('Result code', /^[A-Z0-9]{1,16}$/, '1 to 16 capitals and digits')),
  message: set(text('Result message', 128)),
  status: set(oneOf('How the payment ends', ['SUCCESS', 'FAIL'])),
  amount: optional(whole('orderAmount in minor units that triggers it', 1, limits.amount)),
  delay: optional(whole('Milliseconds that the host takes', 0, 7 * 86_400_000)),
})

/** A fixtures file. */
export const fixturesFile = members({
  $schema: described(v.string(textMessage), 'Address of the JSON Schema, for editors'),
  extends: set(flag('false leaves the built-in applications, cards and outcomes out')),
  applications: v.optional(list(application, 'Applications, by appId')),
  cards: v.optional(list(card, 'Test cards, by name')),
  outcomes: v.optional(
    list(outcome, `Outcomes, by name; ${Object.keys(outcomesOfRules).join(', ')} must be there`),
  ),
})

/** What a fixtures file says. */
export type FixturesFile = v.InferOutput<typeof fixturesFile>

type FixtureEntry<L extends 'applications' | 'cards' | 'outcomes'> = NonNullable<FixturesFile[L]>[number]
export type GivenApplication = FixtureEntry<'applications'>
export type GivenMerchant = NonNullable<GivenApplication['merchants']>[number]
export type GivenCard = FixtureEntry<'cards'>
export type GivenOutcome = FixtureEntry<'outcomes'>
export type GivenTerminal = NonNullable<GivenMerchant['terminals']>[number]
