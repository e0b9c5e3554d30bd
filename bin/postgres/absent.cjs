// In place of what the PostgreSQL client would load for others: a file of passwords, a library in C, workers of a CDN, and
// channel binding, which is not used.
module.exports = {}
