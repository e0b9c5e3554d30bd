import { expect, test } from 'vitest'
import { rejectUnknown } from '../../src/contract/errors.ts'
import { type Remedy, remedyText } from '../../src/contract/remedies.ts'

const [terminalSn, id] = ['BAR 1', '1795159696581000']

test.each<[Remedy, string]>([
  [{ action: 'choose-tip', terminalSn }, "First: `tillbox terminal tip 'BAR 1' --none`"],
  [{ action: 'enter-pin', terminalSn }, "First: `tillbox terminal pin 'BAR 1'`"],
  [{ action: 'sign', terminalSn }, "First: `tillbox terminal sign 'BAR 1'`"],
  [{ action: 'settle', terminalSn }, "Settle first: `tillbox batch close --terminal 'BAR 1'`"],
  [
    { action: 'end-payment', id, terminalSn },
    `End it first: \`tillbox abort ${id}\`, or \`tillbox terminal show 'BAR 1'\``,
  ],
  [
    { action: 'refund-payment', id, rest: { amount: 1250, currency: 'KWD' } },
    `Refund the payment: \`tillbox refund ${id} --amount 1.250\``,
  ],
])('the remedy %j names its command, quoted for a shell', (remedy, text) =>
  expect(remedyText(remedy)).toBe(text),
)

test.each([
  ['did you mean visa?', 'Did you mean visa? Look at the list: `tillbox token list`'],
  ['the names are a, b', 'The names are a, b. Look at the list: `tillbox token list`'],
])('the refusal of an unknown name begins its remedy with the hint: %s', (hint, remedy) =>
  expect(() => rejectUnknown('SBX_TOKEN_NONE', 'name', 'There is no token vsa', hint)).toThrow(
    expect.objectContaining({ message: 'There is no token vsa', field: 'name', remedy }),
  ),
)
