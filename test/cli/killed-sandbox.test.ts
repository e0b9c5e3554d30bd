import { describe, expect, test } from 'vitest'
import { launchBinary } from '../support/commands/binary.ts'
import { openTerminal, startCommand } from '../support/commands/command.ts'
import { parseNdjson, untilStderr } from '../support/commands/launched.ts'
import {
  type LaunchedSandbox,
  spawnSandbox,
  startSandboxCommand,
} from '../support/commands/running-sandbox.ts'
import { screenLines, untilShown } from '../support/commands/terminal-text.ts'
import { openReceiver } from '../support/webhooks/webhook-receiver.ts'

const sale = 'sale --amount 10.00'

/** The same sandbox again, after it is gone. */
async function again({ cwd, port }: LaunchedSandbox) {
  const launched = startCommand(`sandbox start --port ${port} --json`, { cwd })
  await launched.until(/"url"/)
  return launched
}

describe('listen beside a sandbox that is killed', () => {
  test('listen misses nothing and repeats nothing over a restart of the sandbox, even after kill -9', async () => {
    const target = await openReceiver()
    const sandbox = await spawnSandbox()
    const listener = startCommand(`listen --forward-to ${target.url} --events payment`, {
      cwd: sandbox.cwd,
    })
    await untilStderr(listener, /Listening to/)
    const first = await sandbox.json(sale)
    await target.got(1)
    await sandbox.stop('SIGKILL')
    await untilStderr(listener, /The sandbox is gone/)
    const second = await again(sandbox)
    const next = await sandbox.json(sale)
    await target.got(2)
    await second.stop('SIGTERM')
    await again(sandbox)
    const last = await sandbox.json(sale)
    await target.got(3)
    const notifiedIds = target.arrivals.map((arrival) => JSON.parse(arrival.body).transactionId)
    expect(notifiedIds).toEqual([first, next, last].map(({ transactionId }) => transactionId))
    expect(await listener.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
  })

  test('what was pending while the receiver was down survives kill -9 of the sandbox, in order and once', async () => {
    const gone = await openReceiver()
    await gone.close()
    const sandbox = await spawnSandbox()
    const listener = startCommand(`listen --forward-to ${gone.url} --events payment`, {
      cwd: sandbox.cwd,
    })
    await untilStderr(listener, /Listening to/)
    const before = [await sandbox.json(sale), await sandbox.json(sale)]
    await untilStderr(listener, /nothing listens there/)
    await sandbox.stop('SIGKILL')
    await untilStderr(listener, /The sandbox is gone/)
    await again(sandbox)
    const after = await sandbox.json(sale)
    const target = await openReceiver(200, gone.port)
    await target.got(3)
    const notifiedIds = target.arrivals.map(({ json }) => json.transactionId)
    expect(notifiedIds).toEqual([...before, after].map(({ transactionId }) => transactionId))
    expect(await listener.stop('SIGINT')).toMatchObject({ code: 0, signal: null })
  })

  test('a sandbox that is gone before the first notification loses nothing', async () => {
    const sandbox = await spawnSandbox()
    const listener = launchBinary('listen --events payment --json', { cwd: sandbox.cwd })
    await untilStderr(listener, /Listening to/)
    await sandbox.stop('SIGKILL')
    await untilStderr(listener, /The sandbox is gone/)
    listener.stop('SIGSTOP')
    await again(sandbox)
    const { transactionId } = await sandbox.json(sale)
    process.kill(listener.pid, 'SIGCONT')
    await listener.until(/"payment"/)
    expect(parseNdjson(listener.output().stdout)).toMatchObject([{ kind: 'payment', transactionId }])
  })
})

describe('logs tail beside a sandbox that is killed', () => {
  test('logs tail that showed nothing before a restart misses no request after it', async () => {
    const sandbox = await spawnSandbox()
    const following = launchBinary('logs tail --json', { cwd: sandbox.cwd })
    await untilStderr(following, /Requests of/)
    await sandbox.stop('SIGKILL')
    await untilStderr(following, /The sandbox is gone/)
    following.stop('SIGSTOP')
    await again(sandbox)
    const { transactionId } = await sandbox.json(`${sale} --no-wait`)
    process.kill(following.pid, 'SIGCONT')
    await following.until(new RegExp(transactionId))
  })
})

describe('terminal open beside a sandbox that is killed', () => {
  const serial = 'TBX-ATTENDED-001'

  test('the window waits while the sandbox is killed and started again, and then shows the same screen', async () => {
    const sandbox = await spawnSandbox()
    const window = openTerminal(`terminal open ${serial}`, { ...sandbox, columns: 40, rows: 20 })
    await untilShown(window, /Ready/)
    await sandbox.json(`sale --amount 12.34 --terminal ${serial} --no-wait`)
    await untilShown(window, /\$12\.34/)
    await sandbox.stop('SIGKILL')
    await untilShown(window, /no sandbox.*\$12\.34.*The sandbox is gone/s)
    await startSandboxCommand([], { cwd: sandbox.cwd })
    await untilShown(window, /● online.*\$12\.34/s)
    expect(screenLines(window.written()).join('\n')).not.toContain('The sandbox is gone')
    window.type('c')
    await untilShown(window, /■ Cancelled/)
    window.type('o')
    await untilShown(window, /○ offline.*Offline/s)
    window.type('o')
    await untilShown(window, /● online/)
    window.type('q')
    expect(await window.ended).toBe(0)
  })
})
