import { createHash } from 'node:crypto'
import { dirname, join, resolve } from 'node:path'
import { settingsIn, textIn, userFile, userText, withSettingsLock, writeUserFile } from './settings-file.ts'
import { approvalsSchema, type ProjectSettings, projectSchema } from './settings-schema.ts'

/** Name of a project's settings. */
export const projectFileName = 'tillbox.config.json'

/** A project's settings, as they were found. */
export interface ProjectFile {
  /** Absolute. */
  readonly path: string
  readonly text: string
  readonly settings: ProjectSettings
}

/** The settings of the project that the folder is in: of the nearest folder upwards. Errors: UsageError for a file that cannot be read. */
export function findProjectFile(from = process.cwd()): ProjectFile | undefined {
  for (let folder = resolve(from); ; folder = dirname(folder)) {
    const path = join(folder, projectFileName)
    const text = textIn(path)
    if (text !== undefined) return { path, text, settings: settingsIn(path, text, projectSchema) }
    if (folder === dirname(folder)) return undefined
  }
}

const approvalsName = 'trusted.json'

function approvals(): Readonly<Record<string, string>> {
  const text = userText(approvalsName)
  return text === undefined ? {} : settingsIn(userFile(approvalsName), text, approvalsSchema).files
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('hex')

/** True when this user has approved the file with the text that it has now. assumption: credentials */
export const isTrusted = ({ path, text }: ProjectFile): boolean => approvals()[path] === digestOf(text)

/** Keeps that this user approves the file with the text that was read. */
export const approveProject = ({ path, text }: ProjectFile): string =>
  withSettingsLock(() => writeUserFile(approvalsName, { files: { ...approvals(), [path]: digestOf(text) } }))

/** Revokes an approval. False when there was none. */
export const revokeApproval = (path: string): boolean =>
  withSettingsLock(() => {
    const { [path]: own, ...others } = approvals()
    if (own !== undefined) writeUserFile(approvalsName, { files: others })
    return own !== undefined
  })
