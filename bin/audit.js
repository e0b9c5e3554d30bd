#!/usr/bin/env node
// Known vulnerabilities of the packages whose code is in dist/: `npm audit` alone also counts tools that nobody gets.
import { spawnSync } from 'node:child_process'
import { bundle } from './bundle.js'
import { packagesOf } from './docs/notices.js'

const { stdout } = spawnSync('npm', ['audit', '--json'], { encoding: 'utf8', maxBuffer: 2 ** 26 })
const { vulnerabilities } = JSON.parse(stdout)
if (vulnerabilities === undefined)
  process.stderr.write('! The registry offers no audit here: nothing was checked\n')
else {
  const inside = new Set(packagesOf([...(await bundle()).values()].flat()))
  const found = Object.values(vulnerabilities).filter(({ nodes }) =>
    nodes.some((folder) => inside.has(folder)),
  )
  for (const { name, severity, range } of found) process.stderr.write(`✗ ${name} ${range}: ${severity}\n`)
  process.exitCode = found.length > 0 ? 1 : 0
}
