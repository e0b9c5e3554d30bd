import type { SpaceAccess, SpaceView } from '../../contract/sandbox/spaces/space-answers.ts'

/** A space as its server knows it: without the URL, which depends on the caller. */
export type KnownSpace = Omit<SpaceView, 'url'>

/** The data that a client needs to use a space, without its URL. */
export type OpenedSpace = Omit<SpaceAccess, 'url'>

/** The spaces of a server. */
export interface Spaces {
  /** Every space, the first one first. */
  list(): Promise<readonly KnownSpace[]>
  /** Makes a space, durably, that is removed after `ttlMs`; null: never. Errors: SBX_SPACE_EXISTS, SBX_STORE_FAIL. */
  create(name: string, ttlMs: number | null): Promise<OpenedSpace>
  /** Opens a space. Errors: SBX_SPACE_NONE, SBX_STORE_FAIL. */
  open(name: string): Promise<OpenedSpace>
  /** Removes a space with its contents. Errors: SBX_SPACE_NONE, SBX_STORE_FAIL. */
  remove(name: string): Promise<void>
}
