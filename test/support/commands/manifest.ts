import { readProjectFile } from '../project.ts'

/** What the manifest of oclif says of arguments or flags, by their names. */
type Rows = Readonly<Record<string, { hidden?: boolean; allowNo?: boolean; required?: boolean }>>

/** The commands of the manifest of oclif, by id. */
export const { commands } = JSON.parse(readProjectFile('oclif.manifest.json')) as {
  commands: Record<
    string,
    { hidden: boolean; summary: string; args: Rows; flags: Rows; examples: readonly string[] }
  >
}

/** Those that help shows. */
export const shownCommands = Object.entries(commands).filter(([, { hidden }]) => !hidden)
