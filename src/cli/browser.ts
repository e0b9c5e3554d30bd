import { spawn } from 'node:child_process'

const openers: Readonly<Partial<Record<NodeJS.Platform, readonly [string, ...string[]]>>> = {
  darwin: ['open'],
  win32: ['rundll32', 'url.dll,FileProtocolHandler'], // not cmd, which reads an & in a URL as its own
}

/** Opens a page in the user's browser, or says on standard error that it cannot. Resolves to whether. */
export async function openInBrowser(url: string): Promise<boolean> {
  const isOpened = await opened(url)
  if (!isOpened) process.stderr.write('Cannot start a browser; open the page yourself.\n')
  return isOpened
}

/** False when there is no browser, or for anything but a web page. */
function opened(url: string): Promise<boolean> {
  if (!/^https?:\/\//.test(url)) return Promise.resolve(false)
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command, [...args, url], { stdio: 'ignore', detached: true })
  return new Promise((resolve) => {
    child.once('error', () => resolve(false))
    child.once('spawn', () => {
      child.unref()
      resolve(true)
    })
  })
}
