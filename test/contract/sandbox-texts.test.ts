import { toJsonSchema } from '@valibot/to-json-schema'
import { safeParse } from 'valibot'
import { describe, expect, test } from 'vitest'
import { coversAddress, isAddressRange } from '../../src/contract/control/addresses.ts'
import { checkoutPath, connection } from '../../src/contract/control/control-answers.ts'
import { isReachable } from '../../src/contract/control/controls/clock-controls.ts'
import { controlsAt } from '../../src/contract/control/controls/controls.ts'
import { serialNumber } from '../../src/contract/control/controls/terminal-controls.ts'
import { coveragePercent } from '../../src/contract/control/coverage-answers.ts'
import { toolKinds, toolNames, toolsLeft } from '../../src/contract/control/mcp.ts'
import { likeProduction, presetSettings, presetText } from '../../src/contract/control/presets.ts'
import { hiddenKey } from '../../src/contract/control/request-log-answers.ts'
import {
  behaviourOptions,
  duration,
  keyText,
  optionSchemas,
  parsePublicOrigin,
  startClock,
} from '../../src/contract/control/sandbox-options.ts'
import { terminalPath } from '../../src/contract/control/screens.ts'
import { snapshotName } from '../../src/contract/control/snapshot-answers.ts'
import { inSpace, serverUrl, spaceIn } from '../../src/contract/control/spaces.ts'
import { isOnLoopback } from '../../src/contract/control/state-folder.ts'
import {
  isMadeToken,
  madeTokens,
  reservedTokenNames,
  tokenPattern,
} from '../../src/contract/control/tokens.ts'
import { releaseTimeout } from '../../src/contract/control/webhook-delivery.ts'

describe('api authentication-6: the IP allow-list', () => {
  test.each([
    ...'192.0.2.1 10.0.0.0/8 0.0.0.0/0 192.0.2.1/32 ::1 2001:db8::/32 ::/128'.split(' '),
    ...'::ffff:192.0.2.1 ::FFFF:192.0.2.1'.split(' '),
  ])('%s is an address or a range', (text) => expect(isAddressRange(text)).toBe(true))

  test.each([
    '',
    ...'localhost 192.0.2 192.0.2.1/33 192.0.2.1/ 192.0.2.1/x 192.0.2.1/8x 192.0.2.1/8.5'.split(' '),
    ...'192.0.2.1/1e1 192.0.2.1/x8 192.0.2.1/-1 192.0.2.1/8/8 2001:db8::/129'.split(' '),
    ...'2001:db8::/1280 ::ffff:192.0.2.1/120 ::ffff:192.0.2.1/8 /8 x::ffff:192.0.2.1'.split(' '),
    ...'::ffff:192.0.2.1x'.split(' '),
  ])('%j is neither an address nor a range', (text) => expect(isAddressRange(text)).toBe(false))

  test.each([
    [['192.0.2.1'], '192.0.2.1', true],
    [['192.0.2.1'], '192.0.2.2', false],
    [['192.0.2.1'], '::ffff:192.0.2.1', true],
    [['::ffff:192.0.2.1'], '192.0.2.1', true],
    [['10.0.0.0/8'], '10.255.255.255', true],
    [['10.0.0.0/8'], '11.0.0.0', false],
    [['2001:db8::/32'], '2001:db8:ffff::1', true],
    [['2001:db8::/32'], '2001:db9::1', false],
    [['2001:db8::1'], '2001:0db8:0:0:0:0:0:1', true],
    [['2001:DB8::1'], '2001:db8::1', true],
    [['0:0:0:0:0:0:0:1'], '::1', true],
    [['::1'], '127.0.0.1', false],
    [['127.0.0.1'], '::1', false],
    [['::ffff:7f00:1'], '127.0.0.1', true],
    [['::ffff:127.0.0.1'], '::1', false],
    [['0.0.0.0'], '127.0.0.1', false],
    [['::'], '::1', false],
    [['nonsense', '192.0.2.1'], '192.0.2.1', true],
    [['nonsense'], '192.0.2.1', false],
    [[], '192.0.2.1', false],
    [['198.51.100.0/24', '192.0.2.1'], '192.0.2.1', true],
  ])('the allow-list %j covers %s: %s', (entries, address, covered) => {
    expect(coversAddress(entries, address)).toBe(covered)
  })
})

test.each([
  ['https://pay.team.test', 'https://pay.team.test'],
  ['https://pay.team.test/', 'https://pay.team.test'],
  ['http://pay.team.test:8080', 'http://pay.team.test:8080'],
  ['https://pay.team.test:443', 'https://pay.team.test'],
  ['https://pay.team.test/path', undefined],
  ['https://pay.team.test/?a', undefined],
  ['https://user@pay.team.test/', undefined],
  ['ftp://pay.team.test', undefined],
  ['xhttp://pay.team.test', undefined],
  ['httpx://pay.team.test', undefined],
  ['pay.team.test', undefined],
  ['', undefined],
])('assumption public-url: the origin of the public URL %j is %s', (text, origin) =>
  expect(parsePublicOrigin(text)).toBe(origin),
)

describe('the form of names and ids', () => {
  test.each(['x'.repeat(16), 'x'.repeat(128), 'A-z.0_9~abcdefgh'])('%s is a token', (token) => {
    expect(tokenPattern.test(token)).toBe(true)
  })

  test.each([
    '',
    'x'.repeat(15),
    'x'.repeat(129),
    `${'x'.repeat(16)} `,
    ` ${'x'.repeat(16)}`,
    'x'.repeat(15).concat('ä'),
  ])('%j is not a token', (token) => expect(tokenPattern.test(token)).toBe(false))

  test.each(['a', 'A.b-c_9', '9', 'x'.repeat(64)])('%s names a snapshot', (name) => {
    expect(snapshotName.test(name)).toBe(true)
  })

  test.each(['', '.a', '-a', '_a', 'a/b', 'a b', 'a ', ' a', 'x'.repeat(65)])(
    '%j does not name a snapshot',
    (name) => {
      expect(snapshotName.test(name)).toBe(false)
    },
  )

  test.each([
    ['TBX-AUTO-001', true],
    ['--A', true],
    ['.1', true],
    ['x'.repeat(32), true],
    ['...', false],
    ['-_', false],
    ['A B', false],
    ['x'.repeat(33), false],
    ['', false],
  ])('the serial number %j is valid: %s', (text, fits) =>
    expect(safeParse(serialNumber, text).success).toBe(fits),
  )

  test.each(['a b', 'a\n', ' a', 'a\r\nX: 1', 'ä', ''])('%j cannot be a header, so no API key', (apiKey) => {
    expect(safeParse(connection, { apiKey }).success).toBe(false)
  })

  test('a terminal is under /terminal, with its serial number encoded', () => {
    expect(terminalPath('TBX-AUTO-001')).toBe('/terminal/TBX-AUTO-001')
    expect(terminalPath('A/B ?')).toBe('/terminal/A%2FB%20%3F')
  })
})

describe('assumption spaces: the URL of a space', () => {
  const server = 'http://127.0.0.1:8455'

  test.each<[string, string | undefined]>([
    [server, undefined],
    [`${server}/s/ci-1`, 'ci-1'],
    [`${server}/s/ci-1//`, 'ci-1'],
    [`${server}/s/ci-1/dashboard`, undefined],
    [`${server}/s/`, undefined],
  ])('%s names the space %s', (url, space) => {
    expect(spaceIn(url)).toBe(space)
    expect(serverUrl(url)).toBe(space === undefined ? url : server)
  })

  test('the first space has no path of its own', () => {
    expect(['default', 'ci-1'].map((space) => inSpace(server, space))).toEqual([server, `${server}/s/ci-1`])
    expect(inSpace(`${server}//`, 'ci-1')).toBe(`${server}/s/ci-1`)
    expect(checkoutPath('cs_1')).toBe('/checkout/cs_1')
  })
})

describe('assumption sandbox-token: a token that a sandbox made', () => {
  const random = 'A-_9'.repeat(11).slice(1)

  test.each([
    [`tbx_admin_${random}`, true],
    [`tbx_viewer_${random}`, true],
    [`tbx_other_${random}`, false],
    [`tbx_admin_${random.slice(1)}`, false],
    [`xtbx_admin_${random}`, false],
    [`tbx_admin_${random}x`, false],
  ])('%s is one: %s', (text, isOne) => expect(isMadeToken(text)).toBe(isOne))

  test('every token in a text is found, and no token is named as the audit log names callers without one', () => {
    const [one, other] = [`tbx_space_${random}`, `tbx_spaces_${random}`]
    expect(`Authorization: ${one}, ${other}.`.match(madeTokens)).toEqual([one, other])
    expect(reservedTokenNames).toEqual(['start', 'local', 'none', 'unknown'])
  })
})

test.each([
  [500, 500],
  ['90s', 90_000],
  [0, 0],
  [0.5, 'must be whole milliseconds'],
  [-1, 'must be at least 0'],
  ['soon', 'must be milliseconds, or a text such as 500ms, 90s or 30d'],
  [true, 'must be milliseconds, or a text such as 500ms, 90s or 30d'],
])('the span of time %j is read as %s', (given, read) => {
  const { success, output, issues } = safeParse(duration, given)
  expect(success ? output : issues?.[0].message).toBe(read)
})

test.each([
  ['key-1.~+/==', true],
  ['key-1!', false],
  ['a b', false],
  [' a', false],
  ['a ', false],
  ['', false],
])('%j is a key that a header carries: %s', (text, fits) =>
  expect(safeParse(keyText, text).success).toBe(fits),
)

test('the options of a sandbox have a schema each, which tells an editor what they mean', () => {
  const { autoClose } = optionSchemas(behaviourOptions)
  const meaning = { description: behaviourOptions.autoClose.what }
  expect(toJsonSchema(autoClose, { typeMode: 'input' })).toMatchObject(meaning)
  expect(safeParse(autoClose, behaviourOptions.autoClose.usual)).toMatchObject({
    success: true,
    output: null,
  })
  const known = [true, true, false]
  expect(['wall', 'frozen', 'x'].map((clock) => safeParse(startClock.schema, clock).success)).toEqual(known)
  expect(startClock.usual).toBe('wall')
})

test.each([
  ['/_sandbox/faults', ['add-fault:POST', 'clear-faults:DELETE', 'faults:GET']],
  ['/_sandbox/faults/1', ['remove-fault:DELETE']],
  ['/_sandbox/faults/1/2', []],
  ['/_sandbox/openapi.json', ['openapi:GET']],
  ['/_sandbox/openapi-json', []],
  ['/x/_sandbox/faults', []],
])('the control operations of %s are %j', (path, operations) => {
  const found = controlsAt(path).map(({ name, method }) => `${name}:${method}`)
  expect(found.sort()).toEqual(operations)
})

test('the share of situations is in percent, rounded down', () => expect(coveragePercent(2, 3)).toBe(66))

test('a client waits longer for the release of more notifications', () => {
  expect([releaseTimeout(0), releaseTimeout(2)]).toEqual([10_000, 70_000])
})

test.each([
  ['tbx_sandbox_0123456789ab4d08', 'tbx_sandbox_…4d08'],
  ['tbx_production_0123456789ab4d08', 'tbx_production_…4d08'],
  ['0123456789abcdef', '…cdef'],
  ['TBX_sandbox_0123456789', '…6789'],
  ['0_tbx_sandbox_0123456789', '…6789'],
  ['tbx_other_0123456789', '…6789'],
  ['0123456789abcde', '…'],
  ['', '…'],
])('the API key %s is shown as %s', (key, shown) => expect(hiddenKey(key)).toBe(shown))

test.each([
  ['http://127.0.0.1:8455', true],
  ['https://127.1.2.3/', true],
  ['http://127.1:80', true],
  ['http://localhost:1', true],
  ['http://[::1]:8455', true],
  ['ws://127.0.0.1', false],
  ['ftp://127.0.0.1', false],
  ['http://128.0.0.1', false],
  ['http://227.0.0.1', false],
  ['http://127.255.255.255', true],
  ['http://127.0.0.1.example', false],
  ['http://localhost.example', false],
  ['http://127.example', false],
  ['http://0.0.0.0:1', false],
  ['http://[::ffff:127.0.0.1]', false],
  ['http://[::2]', false],
  ['http://10.0.0.1', false],
])('%s is on loopback: %s', (url, isLocal) => expect(isOnLoopback(url)).toBe(isLocal))

test.each([
  ['1999-12-31T23:59:59.999Z', false],
  ['2000-01-01T00:00:00.000Z', true],
  ['9998-12-31T23:59:59.999Z', true],
  ['9999-01-01T00:00:00.000Z', false],
])('the clock can be set to %s: %s', (time, isIn) => expect(isReachable(Date.parse(time))).toBe(isIn))

describe('assumption extras', () => {
  const strict = { appIds: 'known', requestIds: 'uuid', charset: 'refuse' } as const
  const settings = { terminals: 'known', ...strict, extras: false } as const
  const options = { ...settings, likeProduction: true, strict: false }
  const lenient = { terminals: 'open', charset: 'note' } as const

  test('a preset sets exactly the options of its table', () => {
    expect(presetSettings({})).toEqual({})
    expect(presetSettings({ likeProduction: true })).toEqual(settings)
    expect(Object.keys(likeProduction)).toEqual(Object.keys(settings))
    expect(presetSettings({ strict: true })).toEqual(strict)
    for (const { what, why } of Object.values(likeProduction))
      expect([what, why].every((text) => text.length > 20)).toBe(true)
  })

  test.each([
    [options, 'like-production'],
    [{ ...options, extras: true }, 'like-production, but extras true'],
    [{ ...options, ...lenient }, 'like-production, but terminals open, but charset note'],
    [{ ...options, strict: true }, 'strict and like-production'],
    [{ ...options, strict: true, likeProduction: false, extras: true }, 'strict'],
    [{ ...options, likeProduction: false }, null],
  ])('the text of the presets names the options that were changed', (chosen, text) =>
    expect(presetText(chosen)).toBe(text),
  )
})

test('a query leaves the tools that it names, and of those the ones that only read', () => {
  const reading = toolNames.filter((name) => toolKinds[name] === 'read')
  expect(toolsLeft(undefined, false)).toEqual(toolNames)
  expect(toolsLeft(undefined, true)).toEqual(reading)
  expect(toolsLeft(['list_payments', 'run_operation'], false)).toHaveLength(2)
  expect(toolsLeft(['list_payments', 'run_operation'], true)).toEqual(['list_payments'])
})
