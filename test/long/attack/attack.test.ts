import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { shops } from '../../support/attack/shops.ts'
import { runBinary } from '../../support/commands/binary.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'
import { skipsWithout } from '../../support/programs.ts'
import { projectRoot } from '../../support/project.ts'
import { type Bug, bugs } from './bugs.ts'

/** A copy of the shops of examples/attack. Resolves to the folder of one of them. */
function copyOf(shop: Bug['shop']): string {
  const folder = scratchFolder()
  cpSync(join(projectRoot, 'examples/attack'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  return join(folder, shop)
}

function plant({ shop, find, replace }: Bug): string {
  const cwd = copyOf(shop)
  const file = join(cwd, '..', shops[shop].file)
  writeFileSync(
    file,
    readFileSync(file, 'utf8').replace(find, () => replace),
  )
  return cwd
}

const attack = (cwd: string, time: string) =>
  runBinary(['attack', '--drive', 'drive.yaml', '--for', time, '--output', 'found.yaml', '--json'], { cwd })

describe.each(bugs)('in $shop: $name', (bug) => {
  test.skipIf(skipsWithout(shops[bug.shop]))(
    'is found within five minutes, by a scenario that fails each of 20 times',
    async () => {
      const cwd = plant(bug)
      const { code, stdout } = await attack(cwd, '5m')
      console.log(`${bug.shop}: ${bug.name}: ${stdout}`)
      expect(code).toBe(1)
      expect(JSON.parse(stdout).found).toMatchObject({ failed: 10, runs: 10 })
      for (let times = 0; times < 20; times++)
        expect((await runBinary('test found.yaml', { cwd })).code).toBe(1)
      cpSync(
        join(projectRoot, 'examples/attack', shops[bug.shop].file),
        join(cwd, '..', shops[bug.shop].file),
      )
      expect(await runBinary('test found.yaml', { cwd })).toMatchObject({ code: 0 })
    },
  )
})

describe.each(Object.entries(shops))('the sound shop in %s', (name, program) => {
  test.skipIf(skipsWithout(program))('raises no alarm in three minutes', async () => {
    const { code, stdout } = await attack(copyOf(name as Bug['shop']), '3m')
    console.log(`${name}: ${stdout}`)
    expect(code).toBe(0)
  })
})
