import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from '../../http/call.ts'
import { packageRoot } from '../../package-root.ts'

const contentTypes: Readonly<Record<string, string>> = {
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
}

/** A stylesheet or a script of the pages. */
export function asset(call: Call): Response | Promise<Response> {
  const name = call.req.param('name') ?? ''
  const type = /^[a-z-]+\.(css|js|svg)$/.exec(name)?.[1]
  const text = type === undefined ? undefined : assetText(name)
  if (type === undefined || text === undefined) return call.notFound()
  return call.body(text, 200, { 'Content-Type': contentTypes[type] ?? '', 'Cache-Control': 'no-cache' })
}

const assets = new Map<string, string>()

function assetText(name: string): string | undefined {
  const known = assets.get(name)
  if (known !== undefined) return known
  try {
    const text = readFileSync(join(packageRoot, 'dist/assets', name), 'utf8')
    assets.set(name, text)
    return text
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}
