import { objectsIn, shownMembers } from '../../client/tolerant.ts'
import type {
  AddedMerchant,
  AllowList,
  KeyList,
  KeyView,
  MerchantList,
} from '../../contract/control/application-answers.ts'
import type { MerchantAnswer, TerminalsAnswer } from '../../contract/operations/look-ups.ts'
import { shellQuote } from '../../shared/text/shell-quote.ts'
import { commandText } from '../hints/hint-text.ts'
import { cleaned } from '../output/clean.ts'
import { timeText, utcText } from '../output/render-time.ts'
import { columns, pairs } from '../output/table.ts'
import { theme } from '../output/theme.ts'

/** Every key in a line. */
export function renderKeys(list: KeyList): string {
  const rows = cleaned(list).keys.map((key) => [key.key, key.environment, key.appId, keyValidity(key)])
  return `${columns(['key', 'environment', 'application', 'valid'], rows)}\n`
}

function keyValidity({ state, since, validUntil }: KeyView): string {
  const from = since === null ? '' : `since ${timeText(since)}`
  const until = validUntil === null ? '' : `until ${timeText(validUntil)}`
  switch (state) {
    case 'current':
      return theme.good(from === '' ? 'in use' : `in use ${from}`)
    case 'ending':
      return theme.open([from, until].filter(Boolean).join(' '))
    case 'expired':
      return theme.faint(`expired, was valid ${until}`)
    case 'other-environment':
      return theme.faint('refused here')
  }
}

/** Who may call for an application. */
export function renderAllowList(list: AllowList): string {
  const { appId, addresses } = cleaned(list)
  const whose = appId == null ? '' : ` for ${theme.strong(appId)}`
  if (addresses.length === 0) return `Every address may call${whose}.\n`
  return `Only these addresses may call${whose}:\n${addresses.map((address) => `  ${address}\n`).join('')}`
}

/** Every merchant in a line. */
export function renderMerchants(list: MerchantList): string {
  const rows = cleaned(list).merchants.map(({ merchantId, name, appId, terminals, addedAt, isDefault }) => [
    merchantId,
    name,
    appId,
    String(terminals.length),
    theme.faint(isDefault ? 'the default' : addedAt === null ? '' : `added ${timeText(addedAt)}`),
  ])
  return `${columns(['merchant', 'name', 'application', 'terminals', ''], rows, ['terminals'])}\n`
}

/** A new merchant: how to call for it, and what to try. `isJoined`: its application was named. */
export function renderAddedMerchant(added: AddedMerchant, isJoined: boolean): string {
  const { merchantId, name, appId, isNewApplication, apiKey, webhookSecret, terminals } = cleaned(added)
  const other = isJoined ? '' : 'kept from before'
  const withOrigin = (value: string, ofNew: string) =>
    `${value}   ${theme.faint(isNewApplication ? ofNew : other)}`.trimEnd()
  const facts = pairs([
    ['name', name],
    ['application', withOrigin(appId, 'new')],
    ['API key', withOrigin(apiKey, 'new; shown once')],
    ['webhook secret', webhookSecret],
    ['terminals', terminals.join(', ')],
  ])
  const caller =
    isNewApplication || !isJoined
      ? `--api-key ${shellQuote(apiKey)}`
      : `--merchant-id ${shellQuote(merchantId)}`
  const next = commandText(`tillbox sale --amount 10.00 ${caller}`)
  return `${theme.good('✓')} ${theme.strong(merchantId)} is added\n${facts}\n\nTry:\n${next}\n`
}

/** The merchant's record. */
export function renderMerchant(answer: MerchantAnswer): string {
  const record = cleaned(answer)
  const facts = ['merchantId', 'dbaName', 'mcc', 'status', 'createTime'] as const
  const address = ['street', 'detailAddress', 'zipCode', 'cityName', 'stateName', 'country'] as const
  const merchant = shownMembers({ ...record }, [...facts, ...address])
  const { street, detailAddress, zipCode, cityName, stateName, country, mcc, createTime } = merchant
  const line = (...parts: readonly string[]) => parts.filter(Boolean).join(', ')
  const shown = pairs([
    ['merchant', merchant.merchantId],
    ['status', merchant.status === 'Y' ? 'active' : 'inactive'],
    ['category', `${mcc} ${theme.faint('(mcc)')}`],
    ['address', line(street, detailAddress, `${zipCode} ${cityName}`.trim(), stateName, country)],
    ['since', timeText(createTime)],
  ])
  const rows = objectsIn(record.midList)
    .map((each) => shownMembers(each, ['channelCode', 'channelName', 'mid']))
    .map(({ channelCode, channelName, mid }) => [channelCode, mid, theme.faint(channelName)])
  return `${theme.strong(merchant.dbaName)}\n${shown}\n\n${columns(['channel', 'mid', ''], rows)}\n`
}

/** The merchant's terminals. */
export function renderTerminals(answer: TerminalsAnswer): string {
  const terminals = objectsIn(cleaned(answer).terminals)
  const members = ['sn', 'terminalId', 'vendor', 'model', 'createTime'] as const
  const shown = terminals.map((each) => shownMembers(each, members))
  const rows = shown.map(({ sn, terminalId, vendor, model, createTime }) => [
    sn,
    terminalId,
    theme.faint(`${vendor} ${model}`),
    theme.faint(utcText(createTime)),
  ])
  return `${columns(['serial number', 'id', 'model', 'since (merchant’s time)'], rows)}\n`
}
