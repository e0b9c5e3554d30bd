import type { Interfaces } from '@oclif/core'
import { boolean, integer, string } from '@oclif/core/flags'
import {
  accessOptions,
  addressOptions,
  behaviourOptions,
  type OptionRow,
  type OptionRows,
  withoutCode,
} from '../../contract/control/sandbox-options.ts'
import { defaultPort } from '../../contract/headers.ts'
import { stateFolderFlag } from './state-folder.ts'

const optionFlags = (rows: OptionRows) =>
  Object.fromEntries(
    Object.values(rows).flatMap((row) => (row.flag === undefined ? [] : [[row.flag.name, flagFor(row)]])),
  )

/** The flag of an option, without a default: what is not given is not set. */
function flagFor({ schema, what, usual, flag: { env, value } = { name: '' } }: OptionRow) {
  const facts = {
    description: `${withoutCode(what)}.`,
    ...(env !== undefined && { env }),
    ...(value !== undefined && { helpValue: value }),
    ...(usual !== undefined && { defaultHelp: async () => usual }),
  }
  if (schema.type === 'boolean') return boolean({ description: facts.description, allowNo: true })
  if (schema.type === 'number') return integer(facts)
  return schema.type === 'array' ? string({ ...facts, multiple: true }) : string(facts)
}

/** Flags beside those of options, of how a sandbox behaves. */
const behaviourFlagsAlone = {
  set: string({
    description:
      'Set an option of docs/options.md, such as captureTip=50; can be repeated. A project keeps them as "sandbox" in ' +
      'tillbox.config.json.',
    helpValue: '<option>=<value>',
    multiple: true,
  }),
  import: string({
    description:
      'Begin with the state of a file of sandbox export; asks first if the state folder has transactions.',
    helpValue: '<file>',
  }),
  yes: boolean({
    char: 'y',
    description: 'Let --import replace transactions without asking.',
    dependsOn: ['import'],
  }),
  'export-on-exit': string({
    description:
      'Write the state to this file when the sandbox stops, as sandbox export does; not when it is killed. ' +
      'An earlier export is replaced.',
    helpValue: '<file>',
  }),
}

/** How a sandbox behaves, wherever it runs. */
export const behaviourFlags = {
  ...optionFlags({ ...behaviourOptions, ...accessOptions }),
  ...behaviourFlagsAlone,
}

/** Flags beside those of options, of where a sandbox runs. */
const placeFlagsAlone = {
  ...stateFolderFlag,
  store: string({
    description:
      'Keep everything in a PostgreSQL database, which several nodes may share: postgres://user:password@host/database. ' +
      'See docs/shared.md.',
    env: 'TILLBOX_STORE',
    helpValue: '<url>',
  }),
  ephemeral: boolean({
    description: 'Keep the state in a temporary folder that is removed when the sandbox stops.',
  }),
  detach: boolean({
    char: 'd',
    description: 'Run in the background: return when the sandbox is ready. Its log is in the state folder.',
  }),
  watch: boolean({
    description:
      'Load --fixtures again whenever a file of them changes. A wrong one is reported and changes nothing; payments stay.',
  }),
  'detached-process': boolean({
    description: 'Set by --detach on the process that it starts.',
    hidden: true,
  }),
}

/** Flags of `sandbox start`. */
export const startFlags = {
  ...optionFlags({ ...addressOptions, port: { ...addressOptions.port, usual: String(defaultPort) } }),
  ...placeFlagsAlone,
  ...behaviourFlags,
}

/** The flags as oclif gives them. */
export type StartFlags = Readonly<Record<string, unknown>> &
  Readonly<Partial<Interfaces.InferredFlags<typeof placeFlagsAlone & typeof behaviourFlagsAlone>>> & {
    readonly fixtures?: string | undefined
    readonly token?: string | undefined
  }
