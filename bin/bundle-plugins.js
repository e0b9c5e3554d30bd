// How esbuild makes a command line that starts fast; test/cli/startup.test.ts proves what is loaded.
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('..', import.meta.url))
const src = join(root, 'src')

/**
 * esbuild makes a chunk for each set of entries that share a module. Entries that also import what is loaded before them,
 * or at most by a sale, share the same set: a sale loads a dozen files instead of 75.
 */
export const fewChunks = {
  name: 'few-chunks',
  setup(build) {
    build.onLoad({ filter: /\/src\/(commands|hooks)\/.*\.ts$/ }, async ({ path }) => ({
      contents: `${imported([...textCore, clientCore])}${await readFile(path, 'utf8')}`,
      loader: 'ts',
    }))
    build.onLoad({ filter: /\/src\/(main|cli\/help\/help)\.ts$/, namespace: 'file' }, async ({ path }) => ({
      contents: `${imported(textCore)}${await readFile(path, 'utf8')}`,
      loader: 'ts',
    }))
    build.onResolve({ filter: /^\./ }, ({ kind, path, resolveDir, importer }) =>
      kind === 'dynamic-import' && importer.startsWith(src)
        ? { path: join(resolveDir, path), namespace: 'later' }
        : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'later' }, ({ path }) =>
      serverSide.some((name) => path === join(src, name)) ? fromServer(path) : later(path),
    )
  },
}

/**
 * What commands load of the server side. The package holds it once: in the file of the library. Classes of errors that
 * commands have too are told by name: src/named-error.ts.
 */
export const serverSide = [
  'server/server.ts',
  'server/listening.ts',
  'server/cluster/start-node.ts',
  'store/file/verify.ts',
  'store/file/repair.ts',
  'fixture-files/read-fixtures.ts',
  'seed/seed.ts',
  'fixture-files/write-yaml.ts',
  'scenario/suite.ts',
  'scenario/file/read-scenario.ts',
]

/** Names of what a file of src exports, types left out. */
export const exportsOf = (path) =>
  [...readFileSync(path, 'utf8').matchAll(/^export (?:async )?(?:const|function|class) (\w+)/gm)].map(
    ([, name]) => name,
  )

/** A module of the server side, out of the file of the library. */
const fromServer = (path) => ({
  contents: [
    "import { join } from 'node:path'",
    `import { packageRoot } from ${JSON.stringify(join(src, 'package-root.ts'))}`,
    "const server = require(join(packageRoot, 'dist/server.cjs'))",
    `export const { ${exportsOf(path).join(', ')} } = server`,
  ].join('\n'),
  resolveDir: src,
})

/** Leaves Node's own fetch to the first request. */
export const lateResponse = {
  name: 'late-response',
  setup: ({ onResolve }) =>
    onResolve({ filter: /^@hono\/node-server\/utils\/response$/ }, ({ importer }) =>
      importer.startsWith(src) ? { path: join(root, 'bin/server/response.cjs') } : undefined,
    ),
}

/** Leaves out of the PostgreSQL client what nobody here uses: values stay texts, and passwords come from the URL. */
export const leanClient = {
  name: 'lean-client',
  setup: ({ onResolve }) =>
    onResolve(
      { filter: /^(pg-types|pgpass|pg-connection-string|pg-cloudflare|\.\/cert-signatures|\.\/native.*)$/ },
      ({ path, importer }) =>
        /node_modules\/pg(-|\/)/.test(importer)
          ? { path: join(root, `bin/postgres/${partOf(path)}.cjs`) }
          : undefined,
    ),
}

const partOf = (path) => (path === 'pg-types' || path === 'pg-connection-string' ? path : 'absent')

/**
 * Leaves out of oclif what a start with given commands does not need, or needs in a simpler form only; and out of cli-table3
 * a second measure of texts, and colours, which our tables bring themselves.
 */
export const leanOclif = {
  name: 'lean-oclif',
  setup(build) {
    build.onResolve({ filter: /./ }, ({ path, importer }) => {
      const [, lean = {}] = replacements.find(([folder]) => importer.includes(folder)) ?? []
      return Object.hasOwn(lean, path) ? { path: join(root, 'bin/oclif', lean[path]) } : undefined
    })
  },
}

const ofOclif = {
  ejs: 'ejs.cjs',
  minimatch: 'absent.cjs',
  tinyglobby: 'absent.cjs',
  lilconfig: 'absent.cjs',
  typescript: 'absent.cjs',
  debug: 'debug.cjs',
  'cli-spinners': 'spinners.cjs',
  'wrap-ansi': 'wrap-ansi.js',
  'string-width': 'string-width.js',
  'widest-line': 'widest-line.js',
  'node:readline': 'readline.cjs',
  './performance': 'performance.cjs',
  '../performance': 'performance.cjs',
  '../util/os': 'os.cjs',
}

const ofTables = { 'string-width': 'string-width.cjs', '@colors/colors/safe': 'absent.cjs' }

const replacements = Object.entries({ '/@oclif/core/lib/': ofOclif, '/cli-table3/src/': ofTables })

/**
 * Takes modules of Node as they are: an import statement makes a second module of each, with all its members, among them
 * those that load more when somebody looks at them.
 */
export const plainBuiltins = {
  name: 'plain-builtins',
  setup(build) {
    build.onResolve({ filter: /^node:/ }, ({ kind, path }) =>
      kind === 'import-statement' ? { path, namespace: 'builtin', sideEffects: false } : undefined,
    )
    build.onLoad({ filter: /./, namespace: 'builtin' }, ({ path }) => ({ contents: builtinText(path) }))
  },
}

/** A member that nobody imports is left out, and so are the others of a module that nobody imports. */
const builtinText = (name) =>
  [
    `const builtin = process.getBuiltinModule(${JSON.stringify(name)})`,
    'export default builtin',
    ...Object.keys(process.getBuiltinModule(name))
      .filter((member) => member !== 'default' && /^[a-z$][\w$]*$/i.test(member)) // those with _ come and go by how Node runs
      .map((member) => `export const ${member} = /* @__PURE__ */ (() => builtin.${member})()`),
  ].join('\n')

/** What a dynamic import loads, after what was loaded before it. */
const later = (path) => ({
  contents: [
    imported([...textCore, clientCore]),
    `export * from ${JSON.stringify(path)}`,
    ...(/^export default /m.test(readFileSync(path, 'utf8'))
      ? [`export { default } from ${JSON.stringify(path)}`]
      : []),
  ].join('\n'),
  resolveDir: src,
})

/** Small modules that nearly every entry needs: they come as one file with the first, and not in a file each. */
const textCore = ['package-root.ts', 'text/wrap.ts', 'text/window-size.ts', 'cli/output/color.ts'].map(
  (file) => join(src, file),
)

const imported = (files) => files.map((file) => `import ${JSON.stringify(file)}\n`).join('')

const clientCore = join(src, 'cli/operation/operation-command.ts')
