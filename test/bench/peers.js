// Other servers that stand in for a service in tests: how each is started, and what comes nearest to a sale and a query.
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { loads } from './loads.js'

const openapi = fileURLToPath(new URL('../../fixtures/openapi.json', import.meta.url))
const { sale, query } = loads

/** What answers with an example takes the requests of the sandbox. */
const examples = { loads: { sale, query }, answered: /"transactionId"/, idOf: () => 'any' }

/**
 * By name. `loads`: the requests; `answered`: what each answer contains; `idOf`: what a query asks for, from the answer to a
 * sale; `setup`: writes files into its folder, from the sandbox's answers to both; `command`: what starts it, where
 * `program` is that of the package.
 */
export const peers = {
  'json-server': {
    package: 'json-server',
    program: 'json-server',
    loads: {
      sale: (ids) => ({ ...sale(ids), path: '/sales' }),
      query: ({ transactionId }) => ({ ...query({}), path: `/sales/${transactionId}` }),
    },
    answered: /"transactionRequestId"/,
    idOf: ({ id }) => id,
    setup: (folder) => writeFileSync(join(folder, 'db.json'), '{ "sales": [] }'),
    command: ({ program, folder, port }) => [
      ...[process.execPath, program, '--quiet', '--host', '127.0.0.1'],
      ...['--port', port, join(folder, 'db.json')],
    ],
  },
  emulate: {
    package: 'emulate',
    program: 'emulate',
    command: () => {
      throw new Error('it listens at every address of the machine')
    },
  },
  Prism: {
    package: '@stoplight/prism-cli',
    program: 'prism',
    ...examples,
    command: ({ program, port }) => [
      ...[process.execPath, program, 'mock', '--host', '127.0.0.1', '--port', port],
      ...['--verboseLevel', 'silent', openapi],
    ],
  },
  Mockoon: {
    package: '@mockoon/cli',
    program: 'mockoon-cli',
    ...examples,
    command: ({ program, port }) => [
      ...[process.execPath, program, 'start', '--hostname', '127.0.0.1', '--port', port],
      ...['--disable-log-to-file', '--data', openapi],
    ],
  },
  WireMock: {
    package: 'wiremock',
    program: 'wiremock',
    ...examples,
    setup: (folder, answers) => {
      mkdirSync(join(folder, 'mappings'))
      for (const [name, jsonBody] of Object.entries(answers)) {
        const { method, path } = loads[name]({ id: '', transactionId: '' })
        const response = { headers: { 'Content-Type': 'application/json' }, jsonBody }
        const mapping = { request: { method, urlPath: path.split('?')[0] }, response }
        writeFileSync(join(folder, 'mappings', `${name}.json`), JSON.stringify(mapping))
      }
    },
    command: ({ packageFolder, folder, port }) => [
      ...['java', '-jar', jarIn(join(packageFolder, 'build'))], // its own program would be one process more
      ...['--bind-address', '127.0.0.1', '--port', port, '--root-dir', folder, '--disable-banner'],
      ...['--max-request-journal-entries', '1000'], // the sandbox keeps as many
    ],
  },
}

const jarIn = (folder) =>
  readdirSync(folder).flatMap((name) => (name.endsWith('.jar') ? [join(folder, name)] : []))[0]
