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

/** Why a file cannot be used, in words; the message of an error without such a code. */
export const fileProblem = ({ code, message }: NodeJS.ErrnoException): string =>
  problems[code ?? ''] ?? message
