import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '../../http/call.ts'
import { packageRoot } from '../../package-root.ts'

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2',
}

/** A stylesheet, a script or the font of the pages. */
export function asset(call: Call): Response | Promise<Response> {
  const name = call.req.param('name') ?? ''
  const type = /^[\w-]+\.(css|js|svg|woff2)$/.exec(name)?.[1]
  const contents = type === undefined ? undefined : contentsOf(name)
  if (type === undefined || contents === undefined) return call.notFound()
  return call.body(contents, 200, { 'Content-Type': contentTypes[type] ?? '', 'Cache-Control': 'no-cache' })
}

const assets = new Map<string, Uint8Array<ArrayBuffer>>()

function contentsOf(name: string): Uint8Array<ArrayBuffer> | undefined {
  const known = assets.get(name)
  if (known !== undefined) return known
  try {
    const contents = new Uint8Array(readFileSync(join(packageRoot, 'dist/assets', name)))
    assets.set(name, contents)
    return contents
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
