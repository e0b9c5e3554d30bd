// In place of cli-spinners with its eighty animations: no command shows one, and oclif only prepares its own two.
module.exports = {
  dots2: { frames: ['⣾', '⣽', '⣻', '⢿', '⡿', '⣟', '⣯', '⣷'] },
  line: { frames: ['-', '\\', '|', '/'] },
}
