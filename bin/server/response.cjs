// In place of @hono/node-server/utils/response, which makes a Response, and with it loads Node's own fetch, at the start.
module.exports = {
  get RESPONSE_ALREADY_SENT() {
    return require('@hono/node-server/utils/response').RESPONSE_ALREADY_SENT
  },
}
