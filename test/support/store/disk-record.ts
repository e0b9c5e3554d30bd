/** A file by the order in which it came; a name may be another file later. */
export type FileNumber = number

/** What was done to a folder, in order. Paths are absolute. */
export type DiskChange =
  | { readonly kind: 'create' | 'link'; readonly path: string; readonly file: FileNumber }
  | { readonly kind: 'folder' | 'remove'; readonly path: string }
  | { readonly kind: 'rename'; readonly path: string; readonly to: string; readonly file: FileNumber }
  | { readonly kind: 'write'; readonly file: FileNumber; readonly offset: number; readonly bytes: Buffer }
  | { readonly kind: 'truncate'; readonly file: FileNumber; readonly length: number }
  /** Everything of the file that came before the change number `since` is durable. */
  | { readonly kind: 'sync'; readonly file: FileNumber; readonly since: number }
  | { readonly kind: 'sync-folder'; readonly path: string }

/** The record of everything that changed in a folder, which began empty or with durable files. */
export class DiskRecord {
  readonly changes: DiskChange[] = []
  readonly #names = new Map<string, FileNumber>()
  #files = 0

  /** Takes files over as they are, durable. */
  begin(files: ReadonlyMap<string, Buffer>): void {
    for (const [path, bytes] of files) {
      this.create(path)
      const file = this.fileAt(path)
      this.write(file, 0, bytes)
      this.add({ kind: 'sync', file, since: this.position })
    }
    for (const path of files.keys())
      this.add({ kind: 'sync-folder', path: path.slice(0, path.lastIndexOf('/')) })
  }

  /** Number of the next change. */
  get position(): number {
    return this.changes.length
  }

  fileAt(path: string): FileNumber {
    const file = this.#names.get(path)
    if (file === undefined) throw new Error(`the record knows no ${path}`)
    return file
  }

  /** A change that names no file anew. */
  add(change: DiskChange): void {
    this.changes.push(change)
  }

  create(path: string): void {
    this.#files += 1
    this.#names.set(path, this.#files)
    this.changes.push({ kind: 'create', path, file: this.#files })
  }

  write(file: FileNumber, offset: number, bytes: Buffer): void {
    if (bytes.length > 0) this.changes.push({ kind: 'write', file, offset, bytes })
  }

  rename(from: string, to: string): void {
    const file = this.fileAt(from)
    this.#names.delete(from)
    this.#names.set(to, file)
    this.changes.push({ kind: 'rename', path: from, to, file })
  }

  link(from: string, to: string): void {
    const file = this.fileAt(from)
    this.#names.set(to, file)
    this.changes.push({ kind: 'link', path: to, file })
  }

  remove(path: string): void {
    this.#names.delete(path)
    this.changes.push({ kind: 'remove', path })
  }
}
