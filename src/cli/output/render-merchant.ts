import { objectsOf, shownMembers } from '../../client/tolerant.ts'
import type { MerchantAnswer, TerminalsAnswer } from '../../contract/answers.ts'
import { cleaned } from './clean.ts'
import { timeText, utcText } from './render-time.ts'
import { columns, pairs } from './table.ts'
import { themeOf } from './theme.ts'

const merchantMembers = ['merchantId', 'dbaName', 'mcc', 'status', 'createTime'] as const
const addressMembers = ['street', 'detailAddress', 'zipCode', 'cityName', 'stateName', 'country'] as const

/** The merchant's record. */
export function renderMerchant(answer: MerchantAnswer): string {
  const given = cleaned(answer)
  const merchant = shownMembers({ ...given }, [...merchantMembers, ...addressMembers])
  const theme = themeOf('stdout')
  const { street, detailAddress, zipCode, cityName, stateName, country, mcc, createTime } = merchant
  const line = (...parts: readonly string[]) => parts.filter(Boolean).join(', ')
  const facts = pairs(theme, [
    ['merchant', merchant.merchantId],
    ['status', merchant.status === 'Y' ? 'active' : 'inactive'],
    ['category', `${mcc} ${theme.faint('(mcc)')}`],
    ['address', line(street, detailAddress, `${zipCode} ${cityName}`.trim(), stateName, country)],
    ['since', timeText(createTime)],
  ])
  const rows = objectsOf(given.midList)
    .map((each) => shownMembers(each, ['channelCode', 'channelName', 'mid']))
    .map(({ channelCode, channelName, mid }) => [channelCode, mid, theme.faint(channelName)])
  return `${theme.strong(merchant.dbaName)}\n${facts}\n\n${columns(['channel', 'mid', ''], rows, theme)}\n`
}

/** The merchant's terminals. */
export function renderTerminals(answer: TerminalsAnswer): string {
  const terminals = objectsOf(cleaned(answer).terminals)
  const theme = themeOf('stdout')
  const members = ['sn', 'terminalId', 'vendor', 'model', 'createTime'] as const
  const shown = terminals.map((each) => shownMembers(each, members))
  const rows = shown.map(({ sn, terminalId, vendor, model, createTime }) => [
    sn,
    terminalId,
    theme.faint(`${vendor} ${model}`),
    theme.faint(utcText(createTime)),
  ])
  return `${columns(['serial number', 'id', 'model', 'since (merchant’s time)'], rows, theme)}\n`
}
