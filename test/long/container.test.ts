import { execFileSync, spawnSync } from 'node:child_process'
import { copyFileSync, cpSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { scratchFolder } from '../support/commands/scratch.ts'
import { hasNetworks, noNetworks } from '../support/network/private-network.ts'
import { projectRoot, readProjectFile } from '../support/project.ts'

/** Puts this machine's folders into a root, runs the last argument there with loopback alone, and leaves nothing behind. */
const script = `
set -e
root=$1 folder=$2
for top in /*; do
  case $top in /tmp | /src | /state | /home) continue ;; esac
  if [ -L "$top" ]; then cp --no-clobber --no-dereference "$top" "$root"
  elif [ -d "$top" ]; then mkdir -p "$root$top" && mount --rbind "$top" "$root$top"; fi
done
mount --bind "$root/users" "$root/etc/passwd"
mount --bind "$root/groups" "$root/etc/group"
ip link set lo up
exec chroot "$root" sh -c 'cd "$1" && eval "$2"' sh "$folder" "$3"`

/** A root with this machine's programs, and nothing of the sandboxes and files of its users; it is removed after the test. */
function scratchRoot() {
  const path = scratchFolder()
  for (const folder of ['tmp', 'home']) mkdirSync(join(path, folder))
  // The user node, and root, are this user.
  writeFileSync(join(path, 'users'), 'root:x:0:0::/tmp:/bin/sh\nnode:x:0:0::/tmp:/bin/sh\n')
  writeFileSync(join(path, 'groups'), 'root:x:0:\nnode:x:0:\n')
  return {
    path,
    /** Runs a line of a shell in a folder of it; returns what it printed. Errors: an Error with its output. */
    run: (line: string, folder: string, env: Readonly<Record<string, string>> = {}): string => {
      const { status, stdout, stderr } = spawnSync(
        'unshare',
        ['-rnm', 'bash', '-c', script, 'bash', path, folder, line],
        { env: { PATH: process.env.PATH, HOME: '/tmp', ...env }, encoding: 'utf8' },
      )
      if (status !== 0) throw new Error(`${line}\n${stdout}${stderr}`)
      return stdout
    },
  }
}

if (!hasNetworks()) process.stderr.write(noNetworks)

/** Arguments of the instructions of the two stages. */
const [build = [], image = []] = readProjectFile('Dockerfile')
  .replace(/\\\n\s*/g, '')
  .split(/^FROM .*$/m)
  .slice(1)
  .map((stage) => stage.trim().split('\n'))

const ofKind = (stage: readonly string[], kind: string): string[] =>
  stage.flatMap((line) => (line.startsWith(`${kind} `) ? [line.slice(kind.length + 1)] : []))

describe.skipIf(!hasNetworks())('the Dockerfile, each line in a root of its own, without a network', () => {
  test('the package is built from its sources, and the image starts, is healthy, sells and stops', () => {
    const cache = execFileSync('npm', ['config', 'get', 'cache'], { encoding: 'utf8' }).trim()
    const npm = { npm_config_cache: cache, npm_config_offline: 'true', npm_config_prefix: '/opt/node' }
    const sources = scratchRoot()
    const ignored = new Set([...readProjectFile('.dockerignore').split('\n'), 'coverage'])
    for (const name of readdirSync(projectRoot).filter((name) => !ignored.has(name)))
      cpSync(join(projectRoot, name), join(sources.path, 'src', name), { recursive: true })
    for (const line of ofKind(build, 'RUN')) sources.run(line, '/src', npm)

    const target = scratchRoot()
    const [made = ''] = readdirSync(join(sources.path, 'tmp')).filter((name) => name.endsWith('.tgz'))
    copyFileSync(join(sources.path, 'tmp', made), join(target.path, 'tmp/tillbox.tgz'))
    const [[name = '', value = ''] = []] = ofKind(image, 'ENV').map((each) => each.split('='))
    const [command = [], healthy = []] = [ofKind(image, 'CMD'), ofKind(image, 'HEALTHCHECK')].map(
      ([text = '']) => JSON.parse(text.slice(text.indexOf('['))),
    )
    const start = ['tillbox', ...command].join(' ')
    const use = `export PATH=/opt/node/bin:$PATH ${name}=${value} TILLBOX_TOKEN=a-token-of-the-test-0001
      ${start} --port 8455 >/tmp/log 2>&1 & started=$!
      ${healthy.join(' ')} >&2 && tillbox sale --amount 10.00 --json && kill $started && wait $started`
    for (const line of ofKind(image, 'RUN')) target.run(line, '/', npm)
    expect(JSON.parse(target.run(use, '/tmp'))).toMatchObject({ transactionStatus: 'S' })
    expect(readdirSync(join(target.path, value))).toContain('state.json')
  })
})
