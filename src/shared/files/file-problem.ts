/** Why a file or folder cannot be used, by the code of the error. */
const problems: Readonly<Record<string, string>> = {
  ENOENT: 'it does not exist',
  EACCES: 'this user has no permission',
  EPERM: 'this user has no permission',
  EROFS: 'its file system is read-only',
  EEXIST: 'it is a file, not a folder',
  EISDIR: 'it is a folder, not a file',
  ENOTDIR: 'a part of its path is a file, not a folder',
  ELOOP: 'it is a link; links are never followed',
  ENXIO: 'it is no file, but a pipe, a socket or a device',
  ENOSPC: 'its disk is full',
  EDQUOT: 'the disk quota of this user is exhausted',
  EIO: 'its disk failed',
  Z_DATA_ERROR: 'it is packed with gzip, and damaged',
  Z_BUF_ERROR: 'it is packed with gzip, and cut off',
}

/** What a code says of a call that is not the usual one. */
const problemsOfCall: Readonly<Record<string, string>> = {
  'open EEXIST': 'it is there already',
  'scandir ENOTDIR': 'it is a file, not a folder',
  'watch EMFILE': 'this user watches as many files as the system allows',
  'watch ENOSPC': 'this user watches as many files as the system allows',
}

/** Why a file cannot be used, by the code and the call; the message of an error without such a code. */
export const fileProblem = ({ code = '', syscall, message }: NodeJS.ErrnoException): string =>
  problemsOfCall[`${syscall} ${code}`] ?? problems[code] ?? message

/** True for a disk without space, which can be used again when there is some: not for a limit of watchers. */
export const isFullDisk = ({ code = '', syscall }: NodeJS.ErrnoException): boolean =>
  (code === 'ENOSPC' || code === 'EDQUOT') && syscall !== 'watch'
