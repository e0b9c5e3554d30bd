import { cpSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../commands/scratch.ts'
import { projectRoot } from '../project.ts'
import { type ShopName, shops } from './shops.ts'

/** What stands in a file, once, and what stands there in its place. */
export type Change = readonly [find: string, replace: string]

/** A copy of a shop of examples/attack, with changes of its file and of a drive. Returns its folder. */
export function changedShop(
  shop: ShopName,
  changes: readonly Change[] = [],
  drive = 'drive.yaml',
  driveChanges: readonly Change[] = [],
): string {
  const folder = scratchFolder()
  cpSync(join(projectRoot, 'examples/attack'), folder, { recursive: true })
  writeFileSync(join(folder, 'package.json'), '{ "type": "module" }')
  change(join(folder, shops[shop].file), changes)
  change(join(folder, shop, drive), driveChanges)
  return join(folder, shop)
}

/** Puts the shop as it is in place of a changed one. */
export function mend(shop: ShopName, cwd: string): void {
  cpSync(join(projectRoot, 'examples/attack', shops[shop].file), join(cwd, '..', shops[shop].file))
}

function change(file: string, changes: readonly Change[]): void {
  const text = readFileSync(file, 'utf8')
  writeFileSync(
    file,
    changes.reduce((changed, [find, replace]) => changed.replace(find, () => replace), text),
  )
}
