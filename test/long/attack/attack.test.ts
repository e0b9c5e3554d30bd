import { describe, expect, test } from 'vitest'
import { changedShop, mend } from '../../support/attack/changed-shop.ts'
import { type ShopName, shops } from '../../support/attack/shops.ts'
import { runBinary } from '../../support/commands/binary.ts'
import { skipsWithout } from '../../support/programs.ts'
import { bugs } from './bugs.ts'
import { variations } from './variations.ts'

async function attack(name: string, cwd: string, drive: string, time: string) {
  const line = ['attack', '--drive', drive, '--for', time, '--output', 'found.yaml', '--json']
  const { code, stdout } = await runBinary(line, { cwd })
  console.log(`${name}: ${stdout}`)
  return { code, report: JSON.parse(stdout) }
}

describe.each(bugs)('in $shop: $name', ({ shop, name, find, replace, drive }) => {
  test.skipIf(skipsWithout(shops[shop]))(
    'is found within five minutes, by a scenario that fails each of 20 times',
    async () => {
      const cwd = changedShop(shop, [[find, replace]])
      const { code, report } = await attack(name, cwd, drive, '5m')
      expect(code).toBe(1)
      expect(report.found).toMatchObject({ failed: 10, runs: 10 })
      for (let times = 0; times < 20; times++)
        expect((await runBinary('test found.yaml', { cwd })).code).toBe(1)
      mend(shop, cwd)
      expect(await runBinary('test found.yaml', { cwd })).toMatchObject({ code: 0 })
    },
  )
})

describe.each(Object.entries(shops))('the sound shop in %s', (name, program) => {
  test.skipIf(skipsWithout(program))('raises no alarm in ten minutes', async () => {
    expect(await attack(name, changedShop(name as ShopName), 'drive.yaml', '10m')).toMatchObject({ code: 0 })
  })
})

describe.each(variations)(
  'a sound shop in $shop that $name',
  ({ shop, name, drive, changes, driveChanges }) => {
    test.skipIf(skipsWithout(shops[shop]))('raises no alarm in ten minutes', async () => {
      const cwd = changedShop(shop, changes, drive, driveChanges)
      expect(await attack(name, cwd, drive, '10m')).toMatchObject({ code: 0 })
    })
  },
)
