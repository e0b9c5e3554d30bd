import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { packageRoot } from '../../package-root.ts'

/** Frameworks for which there is a webhook handler. */
export const frameworks = ['express', 'fastify', 'hono', 'node'] as const
export type Framework = (typeof frameworks)[number]

/** Packages that the handler of each framework imports. */
export const packagesOf: Readonly<Record<Framework, readonly string[]>> = {
  express: ['express'],
  fastify: ['fastify'],
  hono: ['hono', '@hono/node-server'],
  node: [],
}

/** What `init` can write. */
export const parts = ['config', 'webhook', 'smoke', 'ci'] as const
export type Part = (typeof parts)[number]

/** A file of a project. `path`: from the folder of the project, with slashes. */
export interface ProjectFile {
  readonly path: string
  readonly text: string
}

/** Where the templates are, as files of this package. */
const folder = join(packageRoot, 'fixtures/init')

/** A template, the parts that need it, and where it goes; `:framework` stands for the chosen one. */
const templates: readonly (readonly [needed: readonly Part[], template: string, path: string])[] = [
  [['config'], 'tillbox.config.json', 'tillbox.config.json'],
  [['webhook'], 'handlers/:framework.mjs', 'tillbox/webhook.mjs'],
  [['webhook'], 'tillbox/verify-webhook.mjs', 'tillbox/verify-webhook.mjs'],
  [['webhook'], 'tillbox/handle-webhook.mjs', 'tillbox/handle-webhook.mjs'],
  [['webhook'], 'tillbox/webhook.test.mjs', 'tillbox/webhook.test.mjs'],
  [['smoke'], 'tillbox/smoke.test.mjs', 'tillbox/smoke.test.mjs'],
  [['webhook', 'smoke'], 'tillbox/sandbox.mjs', 'tillbox/sandbox.mjs'],
  [['ci'], 'tillbox.yml', '.github/workflows/tillbox.yml'],
]

/** The files of some parts. */
export const filesOf = (chosen: readonly Part[], framework: Framework): readonly ProjectFile[] =>
  templates
    .filter(([needed]) => needed.some((part) => chosen.includes(part)))
    .map(([, template, path]) => ({
      path,
      text: readFileSync(join(folder, template.replace(':framework', framework)), 'utf8'),
    }))
