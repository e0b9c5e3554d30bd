import { existsSync, readFileSync, realpathSync, statSync } from 'node:fs'
import { basename, dirname, join, relative, resolve, sep } from 'node:path'
import { readOr } from '../read-or.ts'

/** Files that Git itself reads; no sandbox does. */
const isOfGit = (path: string): boolean => /(^|\/)\.git[^/]*$/.test(path)

/**
 * True when a repository around a folder, or one in it, tracks a file of it. No program is run: it could be
 * one of the repository. An index that cannot be understood tracks nothing. assumption: state-ownership
 */
export function isTracked(folder: string): boolean {
  const above = readOr(undefined, () => realpathSync(dirname(resolve(folder))))
  if (above === undefined) return false
  const real = join(above, basename(resolve(folder)))
  for (let top = real; ; top = dirname(top)) {
    const below = relative(top, real).split(sep).join('/').toLowerCase()
    const isInside = (path: string) => below === '' || path.toLowerCase().startsWith(`${below}/`)
    const git = gitFolder(join(top, '.git'))
    if (git !== undefined && trackedIn(git, 'index').some((path) => isInside(path) && !isOfGit(path)))
      return true
    if (top === dirname(top)) return false
  }
}

/** The folder that a `.git` is, or names: of a worktree, or of a submodule. */
function gitFolder(path: string): string | undefined {
  const stats = readOr(undefined, () => statSync(path, { throwIfNoEntry: false }))
  if (stats?.isDirectory()) return path
  if (!stats?.isFile()) return undefined
  const named = /^gitdir: (.+)/.exec(readOr('', () => readFileSync(path, 'utf8')))?.[1]
  return named && resolve(dirname(path), named.trimEnd())
}

/** The paths of an index. A split one has the rest in another file, which it names by its hash. */
function trackedIn(git: string, name: string): readonly string[] {
  const path = join(git, name)
  if (!existsSync(path)) return []
  return readOr([], () => {
    const bytes = readFileSync(path)
    const { paths, base } = pathsIn(bytes, 20) ?? pathsIn(bytes, 32) ?? { paths: [] } // SHA-1, SHA-256
    return base === undefined ? paths : [...paths, ...trackedIn(git, `sharedindex.${base}`)]
  })
}

/** Undefined for an index whose hashes have another length, or that is not of version 2, 3 or 4. */
function pathsIn(bytes: Buffer, hashLength: number) {
  const version = bytes.readUInt32BE(4)
  if (bytes.toString('latin1', 0, 4) !== 'DIRC' || version < 2 || version > 4) return undefined
  const paths: string[] = []
  let [at, before] = [12, Buffer.alloc(0)]
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    const begin = at
    at += 40 + hashLength
    at += bytes.readUInt16BE(at) & 0x4000 ? 4 : 2
    let kept = 0
    if (version === 4) {
      const cut = varint(bytes, at)
      at = cut.end
      kept = before.length - cut.value
    }
    const end = bytes.indexOf(0, at)
    if (end === -1 || kept < 0) return undefined
    before = Buffer.concat([before.subarray(0, kept), bytes.subarray(at, end)])
    paths.push(before.toString())
    at = version === 4 ? end + 1 : begin + ((end - begin + 8) & ~7)
  }
  let base: string | undefined
  for (; at < bytes.length - hashLength; at += 8 + bytes.readUInt32BE(at + 4))
    if (bytes.toString('latin1', at, at + 4) === 'link')
      base = bytes.toString('hex', at + 8, at + 8 + hashLength)
  return at === bytes.length - hashLength ? { paths, base } : undefined
}

/** A number of Git, of seven bits a byte: each byte but the last adds one. */
function varint(bytes: Buffer, from: number) {
  let end = from
  let byte = bytes.readUInt8(end++)
  let value = byte & 0x7f
  while (byte & 0x80) {
    byte = bytes.readUInt8(end++)
    value = (value + 1) * 128 + (byte & 0x7f)
  }
  return { value, end }
}
