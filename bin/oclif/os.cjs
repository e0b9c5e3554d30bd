// In place of oclif's util/os, which loads packages and starts a PowerShell to name a platform and a shell.
const { homedir, platform, release, userInfo } = require('node:os')

exports.getHomeDir = homedir

exports.getPlatform = async () =>
  platform() === 'linux' && /microsoft/i.test(release()) ? 'wsl' : platform()

exports.getShell = async () => {
  const path = process.env.SHELL ?? userInfo().shell ?? process.env.COMSPEC ?? 'unknown'
  return path.split(/[\\/]/).at(-1)
}
