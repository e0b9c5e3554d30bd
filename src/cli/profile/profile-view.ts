import { hiddenKey } from '../../contract/sandbox/request-log-answers.ts'
import { suggestion } from '../../text/suggest.ts'
import { requireKnownName, UsageError } from '../errors/exit-codes.ts'
import { firstProfile } from '../settings/effective.ts'
import { findProjectFile } from '../settings/project-file.ts'
import type { ProfileSettings } from '../settings/settings-schema.ts'
import { readUserFile, userFilePath } from '../settings/user-file.ts'

/** A profile as commands show it: its key is redacted. */
export interface ProfileView extends Omit<ProfileSettings, 'apiKey'> {
  readonly name: string
  /** True for the default profile: it is used unless another one is named. */
  readonly current: boolean
  readonly source: 'project' | 'user'
  /** Path of its file. */
  readonly file: string
  readonly apiKey?: string
}

/** Every profile: those of the project first, then this user's. Errors: UsageError for settings files. */
export function profileViews(): readonly ProfileView[] {
  const [project, user] = [findProjectFile(), readUserFile()]
  const current = project?.settings.profile ?? user.profile
  const view =
    (source: ProfileView['source'], file: string) =>
    ([name, { apiKey, ...settings }]: [string, ProfileSettings]): ProfileView => ({
      name,
      current: name === current,
      source,
      file,
      ...settings,
      ...(apiKey !== undefined && { apiKey: hiddenKey(apiKey) }),
    })
  return [
    ...Object.entries(project?.settings.profiles ?? {}).map(view('project', project?.path ?? '')),
    ...Object.entries(user.profiles).map(view('user', userFilePath())),
  ]
}

/** The profile of that name; `source`: only of that file. Errors: UsageError, with a `hint` beside the names. */
export function profileNamed(name: string, source?: ProfileView['source'], hint?: string): ProfileView {
  const known = profileViews().filter((each) => source === undefined || each.source === source)
  if (source === 'user' && known.every((each) => each.name !== name)) {
    const shared = profileViews().find((each) => each.name === name)
    if (shared !== undefined)
      throw new UsageError(`The profile ${name} is of the project`, `Edit ${shared.file}`, 'name')
  }
  if (known.length === 0)
    throw new UsageError(
      `There is no profile ${name}`,
      [firstProfile(name), hint].filter(Boolean).join('. '),
      'name',
    )
  const names = known.map((each) => each.name)
  return requireKnownName('profile', name, known, 'name', () =>
    [suggestion(name, names), hint].filter(Boolean).join('. '),
  )
}
