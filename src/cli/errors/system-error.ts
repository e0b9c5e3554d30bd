const unusable: Readonly<Record<string, string>> = {
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'its file system is read-only',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOENT: 'a part of its path does not exist and cannot be created',
  ELOOP: 'it is a link, and links are not followed',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this user is exhausted',
  EIO: 'its disk failed',
}

/** Why a file cannot be used, in words. */
export const fileProblem = ({ code, message }: NodeJS.ErrnoException): string => {
  if (code === 'ENOENT') return 'it does not exist'
  return unusable[code ?? ''] ?? message
}

/** A full disk can be used again when there is space. */
const full = new Set(['ENOSPC', 'EDQUOT'])

const unlistenable: Readonly<Record<string, string>> = {
  EACCES: 'ports below 1024 need administrator rights',
  EADDRNOTAVAIL: 'no interface of this machine has this address',
  ENOTFOUND: 'the host name is unknown',
  EAI_AGAIN: 'the host name is unknown',
}

/** A system error about the address or the state folder, in words. */
export function startFailureText(
  error: NodeJS.ErrnoException,
): [message: string, remedy: string, field: string] {
  const code = error.code ?? ''
  const listening = error.syscall === 'listen' || error.syscall === 'getaddrinfo'
  return listening
    ? [`Cannot listen: ${unlistenable[code] ?? error.message}`, 'Check --host and --port', 'host']
    : [
        `Cannot use ${error.path ?? 'the state folder'}: ${unusable[code] ?? error.message}`,
        full.has(code)
          ? 'Free disk space, or name another folder with --state'
          : 'Name another folder with --state',
        'state',
      ]
}
