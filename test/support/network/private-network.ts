import { type ChildProcess, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'

/** True where this user may make networks of its own: Linux with user namespaces, `ip` and `nsenter`. */
export const hasNetworks = (): boolean => spawnSync('unshare', ['-rnm', 'ip', 'link']).status === 0

/** What is said where it may not. */
export const noNetworks =
  'NO NETWORK NAMESPACES: the compose file of docs/shared.md was not tested. `unshare -rnm ip link` must work.\n'

/** Makes a host, with an address and ports of its own, for each argument: its name, and others of it. */
const script = `
set -e
mount -t tmpfs none /run # ip keeps the names of hosts there: these are seen in here only
mkdir /run/netns
echo 127.0.0.1 localhost > /run/hosts
mount --bind /run/hosts /etc/hosts
ip link add net type bridge
ip link set net up
for names; do
  host=\${names%% *} address=10.0.0.$((++count))
  echo $address $names >> /run/hosts
  ip netns add $host
  ip link add $host type veth peer name eth0 netns $host
  ip link set $host master net up
  ip -n $host addr add $address/24 dev eth0
  ip -n $host link set eth0 up
  ip -n $host link set lo up
done
echo ready
exec cat # until the test ends`

/** Puts what a shell starts at a host of a network, for `before` of launchBinary. */
export type At = (host: string) => string

/** Hosts that see each other and nothing else. The network is gone with the last process in it, and this one after the test. */
export async function openNetwork(...hosts: readonly string[]): Promise<At> {
  const child = spawn('unshare', ['-rnm', 'bash', '-c', script, 'bash', ...hosts])
  onTestFinished(() => void child.kill('SIGKILL'))
  await Promise.race([once(child.stdout, 'data'), failure(child)])
  const enter = `nsenter --preserve-credentials -U -m -n -t ${child.pid} --wd="$PWD"`
  return (host) => `exec ${enter} ip netns exec ${host} "$0" "$@"`
}

async function failure({ stderr }: ChildProcess): Promise<never> {
  throw new Error(`the network could not be made: ${await stderr?.setEncoding('utf8').toArray()}`)
}

/** A script for launchBinary: sends connections to one address on to another, each a port at a host or the path of a socket. */
export const relay = join(import.meta.dirname, 'relay.js')
