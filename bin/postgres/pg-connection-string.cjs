// In place of pg-connection-string, which reads a URL: ours is read by src/store/postgres/address.ts.
exports.parse = () => {
  throw new Error('The connection takes the parts of a URL')
}
