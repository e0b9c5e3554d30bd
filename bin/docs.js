#!/usr/bin/env node
// Writes the generated parts of README.md and docs/: what stands between `<!-- generated: … -->` and `<!-- end -->`; and
// the JSON Schemas in fixtures/, of fixtures files, of tillbox.config.json and of what commands print with --json; and
// the OpenAPI document in fixtures/. Also THIRD-PARTY-NOTICES, of what the bundles hold.
// The commands are those of oclif.manifest.json: make that first (`npm run manifest`). With --check it writes nothing but
// dist/, names the files that are out of date, and exits with 1.
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { toJsonSchema } from '@valibot/to-json-schema'
import { build } from 'rolldown'
import { bundle } from './bundle.js'
import { printedAnswers, wireAnswers } from './docs/answers.js'
import { commandList, jsonLists } from './docs/commands.js'
import { apiTables } from './docs/contract.js'
import { evidenceTables } from './docs/evidence.js'
import { noticesText } from './docs/notices.js'
import { openapiDocument } from './docs/openapi/document.js'
import { optionTables } from './docs/options.js'
import { scenarioTables } from './docs/scenarios.js'

const root = fileURLToPath(new URL('..', import.meta.url))
const contract = await loadContract()
const { commands } = JSON.parse(readFileSync(join(root, 'oclif.manifest.json'), 'utf8'))

/** What each marker stands for; a marker may have an argument: `<!-- generated: operation sale -->`. */
const parts = {
  ...apiTables(contract),
  ...evidenceTables(contract),
  ...optionTables(contract.sandboxOptions),
  ...scenarioTables(contract),
  'command-list': () => commandList(commands),
  'json-lists': () => jsonLists(commands),
}

const pages = ['README.md', ...readdirSync(join(root, 'docs')).map((name) => `docs/${name}`)]
const stale = pages.filter((page) => page.endsWith('.md') && !isFresh(page))
for (const [name, id, title, schema] of [
  ['fixtures/schema.json', 'tillbox-fixtures', 'Fixtures of tillbox', contract.fixturesFile],
  ['fixtures/scenario.schema.json', 'tillbox-scenario', 'Scenarios of tillbox', contract.scenarioFile],
  ['fixtures/config.schema.json', 'tillbox-config', 'The sandbox of a project', contract.projectSchema],
])
  if (!isWritten(name, schemaText(id, title, schema))) stale.push(name)
const own = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const openapi = openapiDocument(contract, wireAnswers(contract), own)
for (const [name, document] of [
  ['fixtures/answers.schema.json', printedAnswers(contract)],
  ['fixtures/openapi.json', openapi],
])
  if (!isWritten(name, `${inLines(document, 3)}\n`)) stale.push(name)
if (!isWritten('THIRD-PARTY-NOTICES', noticesText(root, [...(await bundle()).values()].flat())))
  stale.push('THIRD-PARTY-NOTICES')
if (process.argv.includes('--check') && stale.length > 0) {
  process.stderr.write(`✗ Out of date: ${stale.join(', ')}\n  do      Run npm run docs\n`)
  process.exitCode = 1
}

/** True when the page is as it would be generated. Without --check it is written when it is not. */
function isFresh(page) {
  const path = join(root, page)
  const text = readFileSync(path, 'utf8')
  const fresh = text.replace(
    /(<!-- generated: (\S+)(?: (\S+))? -->\n)[\s\S]*?(<!-- end -->)/g,
    (_, start, name, argument, end) => `${start}\n${partNamed(page, name)(argument)}\n\n${end}`,
  )
  return isWritten(page, fresh)
}

/** True when the file holds that text. Without --check it is written when it does not. */
function isWritten(name, text) {
  const path = join(root, name)
  const isSame = existsSync(path) && readFileSync(path, 'utf8') === text
  if (!isSame && !process.argv.includes('--check')) writeFileSync(path, text)
  return isSame
}

/** JSON with a line for each member as deep as that, so that changes read well; white space below would weigh in the package. */
function inLines(value, depth) {
  if (depth === 0 || typeof value !== 'object' || value === null || Array.isArray(value))
    return JSON.stringify(value)
  const members = Object.entries(value).map(
    ([name, each]) => `${JSON.stringify(name)}:${inLines(each, depth - 1)}`,
  )
  return `{\n${members.join(',\n')}\n}`
}

/** What a file may say, for editors: of the schema that checks it. `id`: its name in SchemaStore. */
function schemaText(id, title, checked) {
  const schema = toJsonSchema(checked, {
    typeMode: 'input',
    ignoreActions: ['check', 'ip', 'safe_integer'],
  })
  const $schema = 'http://json-schema.org/draft-07/schema#'
  const $id = `https://json.schemastore.org/${id}.json`
  return `${JSON.stringify({ $schema, $id, title, ...schema }, null, 2)}\n`
}

function partNamed(page, name) {
  const part = parts[name]
  if (part === undefined)
    throw new Error(`${page} asks for '${name}'. Known: ${Object.keys(parts).join(', ')}`)
  return part
}

/** The tables of the source, bundled in memory. */
async function loadContract() {
  const { output } = await build({
    cwd: root,
    input: 'bin/docs/facts.ts',
    platform: 'node',
    write: false,
    output: { codeSplitting: false },
  })
  return import(`data:text/javascript;base64,${Buffer.from(output[0].code).toString('base64')}`)
}
