import { accessSync, constants } from 'node:fs'
import { delimiter, join, sep } from 'node:path'

/** The shell without a window comes first: it takes half the time. */
const names = [
  'chromium-headless-shell',
  'chromium',
  'chromium-browser',
  'google-chrome',
  'google-chrome-stable',
]

const candidates = [
  ...names.map((name) => `/usr/bin/${name}`),
  '/snap/bin/chromium',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
]

/** The Chromium of this machine, or undefined. Where CHROMIUM names one, by path or name, no other will do. */
export function findChromium(): string | undefined {
  const { CHROMIUM } = process.env
  if (CHROMIUM?.includes(sep)) return [CHROMIUM].find(isProgram)
  return CHROMIUM ? onPath([CHROMIUM]) : (onPath(names) ?? candidates.find(isProgram))
}

function onPath(names: readonly string[]): string | undefined {
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  return folders.flatMap((folder) => names.map((name) => join(folder, name))).find(isProgram)
}

/** True where the browser tests must not be skipped. */
export const requiresBrowser = (): boolean => Boolean(process.env.CI || process.env.TILLBOX_REQUIRE_BROWSER)

/** What is said when there is none. */
export const noChromium = [
  'NO BROWSER: no Chromium was found, so nothing was tested in a real browser.',
  'Install one (Debian: apt-get install chromium-headless-shell), or name one in the environment variable CHROMIUM.',
].join('\n')

function isProgram(path: string): boolean {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}
