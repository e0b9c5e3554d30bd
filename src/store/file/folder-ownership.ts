import { rmSync } from 'node:fs'
import { UncertainFile } from '../../files/files.ts'
import { HeldFile } from '../../files/held-file.ts'
import { LostState } from '../lost-state.ts'
import { commitManifest, type Files, type Manifest, manifestPath } from './format/manifest.ts'

interface OwnershipOptions {
  readonly folder: string
  /** The journal that is written to. */
  readonly journal: { readonly isThere: boolean; readonly open: { readonly name: string } }
  /** Why the lock of the folder is no longer ours; undefined while it is. */
  readonly lockLost?: () => string | undefined
  /** The folder is lost: nothing more is acknowledged. */
  readonly lost?: (error: LostState) => void
  /** Reports a fact that a person should know. */
  readonly report: (message: string) => void
}

/** The error of a lost state folder. */
export const lostFolder = (folder: string, why: string): LostState =>
  new LostState(`The state folder ${folder}`, why)

const takenOver = 'its manifest was removed, or another sandbox has taken the folder over'

/**
 * Tells whose a state folder is: its owner made the newest manifest. To take a folder over, a sandbox first makes a
 * manifest; the previous owner then finds its own removed, or cannot make the next one.
 */
export class FolderOwnership {
  readonly #options: OwnershipOptions
  #manifest: Manifest
  /** The current manifest, kept open; null until it could be opened. */
  #held: HeldFile | null = null
  #lost: LostState | null = null
  /**
   * A failed manifest may still exist after a power loss: the next manifest must be written before anything is
   * acknowledged.
   */
  #uncertain = false

  /** Takes the folder over with the manifest that follows `before`. Errors: LostState; an Error of the file system. */
  constructor(before: Manifest, files: Files, options: OwnershipOptions) {
    const manifest = commitManifest(options.folder, before, files)
    if (manifest === undefined) throw lostFolder(options.folder, takenOver)
    this.#options = options
    this.#manifest = manifest
  }

  /** The current manifest. */
  get manifest(): Manifest {
    return this.#manifest
  }

  /** Why the folder is lost; null while it is ours. */
  get lost(): LostState | null {
    return this.#lost
  }

  /**
   * Checks that the folder is still ours: lock, manifest and journal are where they were made. Errors: LostState, from
   * then on always; an Error of the file system while the manifest cannot be opened.
   */
  confirm(): void {
    if (this.#lost !== null) throw this.#lost
    const why = this.#options.lockLost?.() ?? this.#filesLost()
    if (why !== undefined) throw this.#lose(why)
    if (this.#uncertain) this.#makeManifest(this.#manifest)
  }

  /**
   * Makes the next manifest. Errors: LostState; UncertainFile, an Error of the file system: the current one stays
   * valid.
   */
  commit(files: Files): void {
    this.confirm()
    this.#makeManifest(files)
  }

  /** Closes the manifest that is held open. */
  release(): void {
    try {
      this.#held?.close()
    } catch (error) {
      this.#options.report((error as Error).message)
    }
  }

  #filesLost(): string | undefined {
    if (!this.#holdManifest().isThere) return takenOver
    const { journal } = this.#options
    return journal.isThere ? undefined : `${journal.open.name} was removed or replaced`
  }

  #holdManifest(): HeldFile {
    if (this.#held !== null) return this.#held
    try {
      this.#held = new HeldFile(manifestPath(this.#options.folder, this.#manifest.number))
      return this.#held
    } catch (error) {
      throw (error as NodeJS.ErrnoException).code === 'ENOENT' ? this.#lose(takenOver) : error
    }
  }

  #lose(why: string): LostState {
    this.#lost = lostFolder(this.#options.folder, why)
    this.#options.lost?.(this.#lost)
    return this.#lost
  }

  #makeManifest(files: Files): void {
    const { folder, report } = this.#options
    const before = this.#manifest
    const next = this.#tryManifest(files)
    if (next === undefined) throw this.#lose(takenOver)
    const held = this.#held
    this.#manifest = next
    this.#uncertain = false
    this.#held = null
    try {
      held?.close()
      this.#holdManifest()
      rmSync(manifestPath(folder, before.number), { force: true })
    } catch (error) {
      if (error instanceof LostState) throw error
      report((error as Error).message) // the next manifest removes the older file
    }
  }

  /** An uncertain manifest uses up its number: the next one gets a greater number, and is the valid one. */
  #tryManifest(files: Files): Manifest | undefined {
    try {
      return commitManifest(this.#options.folder, this.#manifest, files)
    } catch (error) {
      if (error instanceof UncertainFile) {
        this.#manifest = { ...this.#manifest, number: this.#manifest.number + 1 }
        this.#uncertain = true
      }
      throw error
    }
  }
}
