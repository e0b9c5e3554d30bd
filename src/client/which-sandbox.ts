import { changesSandbox } from '../contract/control/control.ts'
import { type ControlName, controls } from '../contract/control/controls/controls.ts'

/** Default state folder of a sandbox. */
export const defaultState = './.tillbox'

/** No sandbox runs on the named state folder, or, for a change, on the one of this folder. */
export class NoSandbox extends Error {
  override readonly name = 'NoSandbox'
  /** `isNode`: its last sandbox kept the state in a database. `other`: the sandbox on the default port. */
  constructor(
    readonly state: string,
    readonly isNode = false,
    readonly other?: { readonly baseUrl: string; readonly state: string },
  ) {
    const where =
      other === undefined ? '' : `. The one at ${other.baseUrl} is of another folder: ${other.state}`
    super(`No sandbox runs on the state folder ${state}${where}`)
  }
}

/**
 * Refuses to change a sandbox that nobody named, and that is of another folder; left out, `name` may change
 * it. Errors: NoSandbox. assumption: which-sandbox
 */
export function requireNamed(
  { baseUrl, elsewhere }: { readonly baseUrl: string; readonly elsewhere?: string | undefined },
  name?: ControlName,
): void {
  if (elsewhere !== undefined && (name === undefined || changesSandbox(controls[name])))
    throw new NoSandbox(defaultState, false, { baseUrl, state: elsewhere })
}
