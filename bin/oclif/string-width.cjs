// The same for cli-table3, which calls what it requires.
module.exports = require('./string-width.js').default
