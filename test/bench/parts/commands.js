// How long commands take beside a node that does nothing, with certificates to load and without.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { rootCertificates } from 'node:tls'
import { binary, startBinary, timeOf } from '../processes.js'
import { compare, median, rotated } from '../report.js'

export async function commands({ report, runs, root, newFolder }) {
  const certificates = join(root, 'certificates.pem')
  writeFileSync(certificates, rootCertificates.join('\n'))
  const { NODE_EXTRA_CA_CERTS: _, ...plain } = { ...process.env, NO_COLOR: '1', TILLBOX_STATE: newFolder() }
  const server = await startBinary(plain)
  const kinds = {
    bare: ['-e', '0'],
    '--help': [binary, '--help'],
    sale: [binary, 'sale', '--amount', '10.00', '--no-wait', '--json'],
  }
  for (const [words, env, bars] of [
    ['with NODE_EXTRA_CA_CERTS', { ...plain, NODE_EXTRA_CA_CERTS: certificates }, [2.2, 2.8]],
    ['without it', plain, [3, 4]],
  ]) {
    const times = { bare: [], '--help': [], sale: [] }
    for (let round = 0; round < runs; round++)
      for (const [kind, args] of rotated(Object.entries(kinds), round)) times[kind].push(timeOf(args, env))
    for (const [at, kind] of ['--help', 'sale'].entries())
      report.add({
        what: `tillbox ${kind} ÷ bare node, ${words}`,
        value: `${median(times[kind]).toFixed(0)} ms; ${median(times.bare).toFixed(0)} ms`,
        ...compare(times[kind], times.bare),
        bar: [undefined, bars[at]],
      })
  }
  await server.stop()
}
