const unusable: Readonly<Record<string, string>> = {
  EACCES: 'it may not be used by this user',
  EPERM: 'it may not be used by this user',
  EROFS: 'it is on a file system that cannot be written',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ENOENT: 'a part of its path cannot be made',
  ELOOP: 'it is a link, and links are not followed',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this user is used up',
  EIO: 'its disk failed',
}

/** What is full can be used again when there is space. */
const full = new Set(['ENOSPC', 'EDQUOT'])

const unlistenable: Readonly<Record<string, string>> = {
  EACCES: 'a port below 1024 is for the administrator',
  EADDRNOTAVAIL: 'no interface of this machine has that address',
  ENOTFOUND: 'the name is unknown',
  EAI_AGAIN: 'the name is unknown',
}

/** What the system said, in words: it is about the address or the state folder. */
export function whyItCannotStart(
  error: NodeJS.ErrnoException,
): [message: string, remedy: string, field: string] {
  const code = error.code ?? ''
  const listening = error.syscall === 'listen' || error.syscall === 'getaddrinfo'
  return listening
    ? [`The sandbox cannot listen: ${unlistenable[code] ?? error.message}`, 'Check --host and --port', 'host']
    : [
        `${error.path ?? 'The state folder'} cannot be used: ${unusable[code] ?? error.message}`,
        full.has(code)
          ? 'Free space on its disk, or name another folder with --state'
          : 'Name another folder with --state',
        'state',
      ]
}
