import { mkdirSync, renameSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { watchFiles } from '../../../src/cli/input/watch-files.ts'
import { scratchFolder } from '../../support/commands/scratch.ts'

/** A folder with `real/a.yaml` and `other/a.yaml`. */
function folders(): (path: string) => string {
  const folder = scratchFolder()
  const at = (path: string) => join(folder, path)
  for (const name of ['real', 'other', 'shop']) mkdirSync(at(name))
  writeFileSync(at('real/a.yaml'), 'one')
  writeFileSync(at('other/a.yaml'), 'two, by another shop')
  return at
}

/** What a link is replaced by, as `ln -sfn` does. */
function relink(target: string, path: string): void {
  symlinkSync(target, `${path}.new`)
  renameSync(`${path}.new`, path)
}

type At = (path: string) => string

test.each<[how: string, prepare: (at: At) => void, change: (at: At) => void]>([
  [
    'is written',
    (at) => writeFileSync(at('shop/a.yaml'), '1'),
    (at) => writeFileSync(at('shop/a.yaml'), '12'),
  ],
  [
    'is a link whose target is written',
    (at) => symlinkSync('../real/a.yaml', at('shop/a.yaml')),
    (at) => writeFileSync(at('real/a.yaml'), 'three'),
  ],
  [
    'is a link whose target is replaced',
    (at) => symlinkSync('../real/a.yaml', at('shop/a.yaml')),
    (at) => renameSync(at('other/a.yaml'), at('real/a.yaml')),
  ],
  [
    'is a link that is replaced',
    (at) => symlinkSync('../real/a.yaml', at('shop/a.yaml')),
    (at) => relink('../other/a.yaml', at('shop/a.yaml')),
  ],
  [
    'is mounted, as in a container of Kubernetes',
    (at) => {
      symlinkSync('../real', at('shop/..data'))
      symlinkSync('..data/a.yaml', at('shop/a.yaml'))
    },
    (at) => relink('../other', at('shop/..data')),
  ],
  [
    'is in a folder that is a link',
    (at) => {
      rmSync(at('shop'), { recursive: true })
      symlinkSync('real', at('shop'))
    },
    (at) => relink('other', at('shop')),
  ],
])('a change is seen of a file that %s, and again the next one', async (_, prepare, change) => {
  const at = folders()
  prepare(at)
  const stopped = new AbortController()
  const watched = watchFiles([at('shop/a.yaml')], stopped.signal)
  onTestFinished(() => watched.close())
  const first = watched.next()
  change(at)
  expect(await first).toBe(true)
  const next = watched.next()
  writeFileSync(at('shop/a.yaml'), 'written through all links')
  expect(await next).toBe(true)
  const last = watched.next()
  writeFileSync(at('shop/report.txt'), 'nothing that is followed')
  stopped.abort()
  expect(await last).toBe(false)
})
