import { createState } from '../../../src/domain/state.ts'
import { builtIn } from '../../../src/fixtures.ts'
import { spaceStorage } from '../../../src/store/postgres/postgres-storage.ts'
import type { OpenStorage } from '../../../src/store/storage/storage.ts'

/** Opens a space without its sandbox. Errors: as `Storage.open`. */
export const openSpaceStorage = (options: Parameters<typeof spaceStorage>[0]): Promise<OpenStorage> =>
  spaceStorage(options).open({
    empty: () => createState(builtIn),
    wall: Date.now,
    forwards: false,
    ownAccess: null,
    failed: () => undefined,
    lost: () => undefined,
    report: () => undefined,
  })
