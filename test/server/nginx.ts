import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { onTestFinished } from 'vitest'
import { freePort } from '../support/network/ports.ts'
import { temporaryFolder } from '../support/service/service.ts'

/** The nginx of this machine, or undefined. NGINX may name another one by its path. */
export function findNginx(): string | undefined {
  const folders = [...(process.env.PATH ?? '').split(delimiter), '/usr/sbin', '/usr/local/sbin']
  return [process.env.NGINX ?? '', ...folders.map((folder) => join(folder, 'nginx'))].find(
    (path) => path !== '' && existsSync(path),
  )
}

/** What is said when there is none. */
export const noNginx =
  'NO NGINX: the reverse proxies of docs/reverse-proxy.md and docs/shared.md were not tested. Install one (Debian: apt-get install nginx-light).\n'

interface Served {
  /** The page of docs/ whose configuration it runs. */
  readonly page: 'reverse-proxy.md' | 'shared.md'
  /** Ports of the sandboxes, by their addresses on the page. */
  readonly ports?: Readonly<Record<string, number>>
  readonly cert: string
  readonly key: string
  /** What a shell does first, in the process that then becomes nginx: it has addresses and ports as the page says. */
  readonly before?: string
}

/** Runs the nginx of a page on a free port of loopback, until the test ends. Returns that port. */
export async function startNginx({ page, ports = {}, cert, key, before }: Served): Promise<number> {
  const folder = temporaryFolder()
  const own = await freePort()
  for (const [name, text] of Object.entries({ 'cert.pem': cert, 'key.pem': key }))
    writeFileSync(join(folder, name), text, { mode: 0o600 })
  mkdirSync(join(folder, 'temp'))
  let block = documented(page)
    .replace('/etc/ssl/certs/pay.team.test.pem', join(folder, 'cert.pem'))
    .replace('/etc/ssl/private/pay.team.test.pem', join(folder, 'key.pem'))
  if (before === undefined) block = block.replace('listen 443 ssl', `listen 127.0.0.1:${own} ssl`)
  for (const [address, port] of Object.entries(ports)) block = block.replace(address, `127.0.0.1:${port}`)
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi']
    .map((name) => `${name}_temp_path ${join(folder, 'temp', name)};`)
    .join(' ')
  const conf = join(folder, 'nginx.conf')
  writeFileSync(
    conf,
    `daemon off; master_process off; ${before === undefined ? '' : 'user root;'} pid ${join(folder, 'nginx.pid')};
     events {} http { access_log off; ${temp}\n${block} }`,
  )
  const child = spawn(
    'bash',
    [...['-c', before ?? 'exec "$0" "$@"', findNginx() ?? 'nginx'], '-p', folder, '-c', conf, '-e', 'stderr'],
    { stdio: ['ignore', 'ignore', 'pipe'] },
  )
  let output = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  const ended = once(child, 'close').then(() => {
    throw new Error(`nginx has ended: ${output}`)
  })
  onTestFinished(async () => {
    child.kill('SIGKILL')
    await ended.catch(() => undefined)
  })
  await Promise.race([written(join(folder, 'nginx.pid')), ended])
  return own
}

function documented(page: string): string {
  const text = readFileSync(resolve(import.meta.dirname, '../../docs', page), 'utf8')
  return /```nginx\n([\s\S]*?)```/.exec(text)?.[1] ?? ''
}

/** Resolves when nginx takes connections: it has written its id. */
async function written(path: string): Promise<void> {
  while (!existsSync(path)) await sleep(20)
}
