/**
 * `node:http`. An ES import reads every export of a module, and for the `WebSocket` of this one Node 22 and
 * later load undici, which takes a quarter of the time of a command.
 */
export const http = process.getBuiltinModule('node:http')
