import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { projectRoot } from '../support/project.ts'

const run = promisify(execFile)

/** What `npm pack` makes, installed by npm without a network in a project that has nothing else. */
let folder = ''
let tarball = ''
let packed: { readonly size: number; readonly files: readonly { readonly path: string }[] }
const project = () => join(folder, 'project')
const installed = () => join(project(), 'node_modules/tillbox')

/** Nothing of whoever runs the tests reaches npm or the package, and the Node that runs them runs those too. */
const environment = () => ({
  PATH: [dirname(process.execPath), process.env.PATH].join(delimiter),
  HOME: folder,
  npm_config_cache: join(folder, 'cache'),
  npm_config_offline: 'true',
  npm_config_update_notifier: 'false',
})
const inProject = (file: string, args: readonly string[]) =>
  run(file, args, { cwd: project(), env: environment() })
const node = (...args: string[]) => inProject(process.execPath, args)

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), 'tillbox-package-'))
  const options = { cwd: projectRoot, env: environment(), maxBuffer: 10_000_000 }
  // All tests share dist/: only what is missing, or older than a source, is built again before it is packed.
  await run(process.execPath, ['bin/build.js', '--release', '--if-older'], options)
  const pack = ['pack', '--ignore-scripts', '--json', '--pack-destination', folder]
  const { stdout } = await run('npm', pack, options)
  const [made] = JSON.parse(stdout)
  packed = made
  tarball = join(folder, made.filename)
  mkdirSync(project())
  writeFileSync(join(project(), 'package.json'), '{ "name": "shop", "private": true }')
  await inProject('npm', ['install', '--save-dev', tarball])
}, 600_000) // beside other tests on a busy machine
afterAll(() => rmSync(folder, { recursive: true, force: true }))

test('the package is smaller than 3 MB, has the files that it needs and names, and no other', () => {
  expect(packed.size).toBeLessThan(3_000_000)
  const paths = packed.files.map(({ path }) => path)
  const pages = ['LICENSE', 'README.md', 'THIRD-PARTY-NOTICES', 'SKILL.md', 'docs/agents.md', 'docs/api.md']
  for (const path of [...pages, 'dist/index.d.cts', 'dist/sbom.cdx.json']) expect(paths).toContain(path)
  const allowed =
    /^(bin\/run\.js|dist\/.*|docs\/(recipes\/)?[\w-]+\.md|examples\/.*|ARCHITECTURE\.md|CONTRIBUTING\.md|SECURITY\.md|SKILL\.md|fixtures\/.*|LICENSE|README\.md|THIRD-PARTY-NOTICES|oclif\.manifest\.json|package\.json)$/
  expect(paths.filter((path) => !allowed.test(path) || /\.(map|png)$/.test(path))).toEqual([])
})

test('every link of a packed page leads to a packed file', () => {
  const dead = packed.files
    .filter(({ path }) => path.endsWith('.md'))
    .flatMap(({ path }) => {
      const text = readFileSync(join(installed(), path), 'utf8')
      const targets = [...text.matchAll(/(?<!!)\[[^\]]*\]\(([^)#\s]+)[^)]*\)/g)].map(
        ([, target = '']) => target,
      )
      return targets
        .filter((target) => !/^[a-z]+:/.test(target))
        .filter((target) => !existsSync(join(installed(), dirname(path), target)))
        .map((target) => `${path} → ${target}`)
    })
  expect(dead).toEqual([])
})

test('every file that the exports name is packed', () => {
  const { exports } = JSON.parse(readFileSync(join(installed(), 'package.json'), 'utf8'))
  const named = [...JSON.stringify(exports).matchAll(/"(\.\/[^"]*\.\w+)"/g)].map(([, path = '']) => path)
  const types = readdirSync(join(installed(), 'dist')).filter((name) => /\.d\.c?ts$/.test(name))
  expect(named).toEqual(expect.arrayContaining(types.map((name) => `./dist/${name}`)))
  expect(named.filter((path) => !existsSync(join(installed(), path)))).toEqual([])
})

test('the package brings no other package along and runs no script when it is installed', () => {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta, scripts } = JSON.parse(
    readFileSync(join(installed(), 'package.json'), 'utf8'),
  )
  expect({ dependencies, optionalDependencies }).toEqual({})
  for (const name of Object.keys(peerDependencies)) expect(peerDependenciesMeta[name].optional).toBe(true)
  for (const name of ['preinstall', 'install', 'postinstall']) expect(scripts).not.toHaveProperty(name)
  expect(scripts.prepack).toBe('node bin/build.js --release')
  const beside = readdirSync(join(project(), 'node_modules')).filter((name) => !name.startsWith('.'))
  expect(beside).toEqual(['tillbox'])
  expect(existsSync(join(installed(), 'node_modules'))).toBe(false)
})

test('an installed package takes a payment with npx and exec', async () => {
  const { stdout } = await inProject('npx', [
    ...['tillbox', 'exec', '--', 'tillbox', 'sale', '--amount', '10.00', '--json'],
  ])
  expect(JSON.parse(stdout)).toMatchObject({ transactionStatus: 'S' })
})

test('an installed package serves TLS, reads fixtures in YAML, and checks a state folder', async () => {
  writeFileSync(join(project(), 'shop.yaml'), 'cards: []\n')
  await node(
    ...['node_modules/tillbox/bin/run.js', 'exec', '--https', '--fixtures', 'shop.yaml', '--state', 'kept'],
    ...['--', 'node_modules/.bin/tillbox', 'sale', '--amount', '10.00'],
  )
  const verify = ['sandbox', 'verify', '--state', 'kept', '--json']
  const { stdout } = await node('node_modules/tillbox/bin/run.js', ...verify)
  expect(JSON.parse(stdout)).toMatchObject({ sound: true })
})

test('an installed package is a library for import and require, with its pages', async () => {
  const use = `
      const sandbox = await createSandbox()
      const { transactionId } = await sandbox.client.sale({ amount: 1000, priceCurrency: 'USD' })
      const { status } = await sandbox.payments.waitFor(transactionId, 'SUCCESS')
      const page = await (await fetch(sandbox.url)).text()
      const style = await fetch(new URL(/href="([^"]+\\.css[^"]*)"/.exec(page)[1], sandbox.url))
      await sandbox.close()
      console.log(status, style.status, InvalidOption.name)`
  writeFileSync(
    join(project(), 'module.mjs'),
    `import { createSandbox, InvalidOption } from 'tillbox'\n${use}`,
  )
  writeFileSync(
    join(project(), 'common.cjs'),
    `const { createSandbox, InvalidOption } = require('tillbox')\nrequire('tillbox/jest')\nrequire('tillbox/node-test')\nvoid (async () => {${use}\n})()`,
  )
  for (const name of ['module.mjs', 'common.cjs'])
    expect((await node(name)).stdout).toBe('SUCCESS 200 InvalidOption\n')
})

const { version } = JSON.parse(readFileSync(join(projectRoot, 'package.json'), 'utf8'))

test('npm install --global puts the command on the PATH', async () => {
  const prefix = join(folder, 'global')
  await inProject('npm', ['install', '--global', '--prefix', prefix, tarball])
  const { stdout } = await inProject(join(prefix, 'bin/tillbox'), ['--version'])
  expect(stdout).toContain(`tillbox/${version} `)
  expect(stdout).toContain(` node-${process.version}`)
})
