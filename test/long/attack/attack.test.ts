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

// a title of `describe.each` would be cut, and the number of the report with it
for (const { shop, name, find, replace, drive } of bugs)
  describe(`in ${shop}: ${name}`, () => {
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

for (const shop of Object.keys(shops) as ShopName[])
  describe(`the sound shop in ${shop}`, () => {
    test.skipIf(skipsWithout(shops[shop]))('raises no alarm in ten minutes', async () => {
      expect(await attack(shop, changedShop(shop), 'drive.yaml', '10m')).toMatchObject({ code: 0 })
    })
  })

for (const { shop, name, drive, changes, driveChanges } of variations)
  describe(`a sound shop in ${shop} that ${name}`, () => {
    test.skipIf(skipsWithout(shops[shop]))('raises no alarm in ten minutes', async () => {
      const cwd = changedShop(shop, changes, drive, driveChanges)
      expect(await attack(name, cwd, drive, '10m')).toMatchObject({ code: 0 })
    })
  })
