import { changesSandbox } from '../contract/control/control.ts'
import { type ControlName, controls } from '../contract/control/controls/controls.ts'
import { beginsOrder } from '../contract/operation-members.ts'
import { isLookUp, type OperationName } from '../contract/operations.ts'

/** Name of a project's state folder. */
export const stateFolderName = '.tillbox'

/** State folder of a sandbox that is started in a folder of no project. */
export const defaultState = `./${stateFolderName}`

/** No sandbox runs on the named state folder, or, for a change, on the one of this folder. */
export class NoSandbox extends Error {
  override readonly name = 'NoSandbox'
  /** `isNode`: its last sandbox kept the state in a database. `other`: the sandbox on the default port. */
  constructor(
    readonly state: string,
    readonly isNode = false,
    readonly other?: { readonly baseUrl: string; readonly state: string },
    /** True where the folder is that of this project. */
    readonly isProject = false,
  ) {
    const where =
      other === undefined ? '' : `. The one at ${other.baseUrl} is of another folder: ${other.state}`
    const whose = isProject ? "This project's sandbox does not run: n" : 'N'
    super(`${whose}o sandbox runs on the state folder ${state}${where}`)
  }
}

/** A sandbox that was found, and what makes it doubtful that it is meant. */
interface Doubtful {
  readonly baseUrl: string
  /** State of a sandbox that only the usual port led to: it is another project's. */
  readonly elsewhere?: string | undefined
  /** Why nothing may be changed there: two sandboxes are named. */
  readonly doubt?: Error | undefined
}

/**
 * Refuses to change a sandbox that nobody named, and that is of another folder, and to choose between two;
 * left out, `name` may change it. Errors: NoSandbox, the doubt. assumption: which-sandbox
 */
export function requireNamed({ baseUrl, elsewhere, doubt }: Doubtful, name?: ControlName): void {
  if (name !== undefined && !changesSandbox(controls[name])) return
  if (doubt !== undefined) throw doubt
  if (elsewhere !== undefined) throw new NoSandbox(defaultState, false, { baseUrl, state: elsewhere })
}

/** As `requireNamed`, for an operation: only one that begins an order goes to a sandbox that nobody named. */
export function requireNamedFor({ elsewhere, ...sandbox }: Doubtful, name: OperationName): void {
  if (!isLookUp(name)) requireNamed({ ...sandbox, ...(!beginsOrder(name) && { elsewhere }) })
}
