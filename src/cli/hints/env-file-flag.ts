/**
 * The flag that names a file of variables. Not `--env-file`: Node itself obeys that wherever it stands in a command line, and
 * with it NODE_OPTIONS of the file, so that a cloned repository could run code (nodejs/node#54232).
 */
export const envFileFlag = 'dotenv'
