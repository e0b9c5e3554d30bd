/**
 * The flag that names a file of variables. Not `--env-file`: Node obeys that anywhere in a command line, including the
 * file's NODE_OPTIONS, so a cloned repository could run code (nodejs/node#54232).
 */
export const envFileFlag = 'dotenv'
