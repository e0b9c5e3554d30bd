// Names, versions and licences of the packages whose code is in dist/: THIRD-PARTY-NOTICES.
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** Folders of the packages among sources, each once, by name. `sources`: paths in the project. */
export const packagesOf = (sources) =>
  [...new Set(sources.map((path) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(path)?.[0]))]
    .filter((folder) => folder !== undefined)
    .sort()

/** The text of the file. `root`: folder of the project. Errors: a package names no licence. */
export const noticesText = (root, sources) =>
  [
    'tillbox holds code of the packages below. Each is under the licence that follows its name.',
    ...packagesOf(sources).map((folder) => notice(join(root, folder))),
  ]
    .join(`\n\n${'-'.repeat(80)}\n\n`)
    .concat('\n')

function notice(folder) {
  const { name, version, license: named } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  const files = readdirSync(folder).filter((file) => /^(licen[cs]e|copying|notice)/i.test(file))
  const texts = files
    .sort()
    .map((file) => readFileSync(join(folder, file), 'utf8').replace(/\r\n/g, '\n').trim())
  const license = named ?? (/^BSD Zero Clause License/.test(texts[0]) ? '0BSD' : undefined)
  if (license === undefined) throw new Error(`${name} is in the bundle and names no licence`)
  const head = `${name} ${version} (${license})`
  return [head, ...texts].join('\n\n')
}
