import { homedir } from 'node:os'

/** The home folder of this user; undefined without one: a container may have neither HOME nor a passwd entry. */
export function homeFolder(home = process.env.HOME): string | undefined {
  try {
    return home || homedir() || undefined
  } catch {
    return undefined // the user is not known to the system
  }
}
