// In place of node:readline, which oclif loads for flags that it reads from standard input: none of ours.
exports.createInterface = (options) => require('node:readline').createInterface(options)
