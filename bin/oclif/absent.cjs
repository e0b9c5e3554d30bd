// In place of packages with which oclif looks for commands and plugins, or reads sources: ours are given, see
// src/cli/start/commands-plugin.ts. And of the colours of cli-table3: our tables have none of its styles.
module.exports = {}
