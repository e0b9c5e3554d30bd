import { readFileSync } from 'node:fs'

/** The commands of the manifest of oclif, by id. */
export const { commands } = JSON.parse(
  readFileSync(new URL('../../../oclif.manifest.json', import.meta.url), 'utf8'),
) as {
  commands: Record<
    string,
    { hidden: boolean; flags: Record<string, { hidden?: boolean }>; examples: readonly string[] }
  >
}

/** Those that help shows. */
export const shownCommands = Object.entries(commands).filter(([, { hidden }]) => !hidden)
