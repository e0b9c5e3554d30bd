import { spawnSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '../commands/scratch.ts'

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
export function scratchRoot() {
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
