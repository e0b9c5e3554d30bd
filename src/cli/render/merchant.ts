import type { MerchantAnswer, TerminalsAnswer } from '../../api/answers.ts'
import { cleaned } from '../clean.ts'
import { themeOf } from '../theme.ts'
import { columns, pairs } from './table.ts'
import { timeText } from './time.ts'

/** The merchant's record. */
export function renderMerchant(answer: MerchantAnswer): string {
  const merchant = cleaned(answer)
  const theme = themeOf('stdout')
  const { street, detailAddress, zipCode, cityName, stateName, country, mcc, createTime, midList } = merchant
  const line = (...parts: readonly string[]) => parts.filter(Boolean).join(', ')
  const facts = pairs(
    [
      ['merchant', merchant.merchantId],
      ['status', merchant.status === 'Y' ? 'active' : 'inactive'],
      ['category', `${mcc} ${theme.faint('(mcc)')}`],
      ['address', line(street, detailAddress, `${zipCode} ${cityName}`.trim(), stateName, country)],
      ['since', timeText(createTime)],
    ],
    theme,
  )
  const rows = midList.map(({ channelCode, channelName, mid }) => [
    channelCode,
    mid,
    theme.faint(channelName),
  ])
  return `${theme.strong(merchant.dbaName)}\n${facts}\n\n${columns(['channel', 'mid', ''], rows, theme)}\n`
}

/** The merchant's terminals. */
export function renderTerminals(answer: TerminalsAnswer): string {
  const { terminals } = cleaned(answer)
  const theme = themeOf('stdout')
  const rows = terminals.map(({ sn, terminalId, vendor, model, createTime }) => [
    sn,
    terminalId,
    theme.faint(`${vendor} ${model}`),
    theme.faint(timeText(createTime)),
  ])
  return `${columns(['serial number', 'id', 'model', 'since'], rows, theme)}\n`
}
