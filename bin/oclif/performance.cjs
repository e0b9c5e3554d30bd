// In place of oclif's performance, which measures only a command line that asks for it.
exports.OCLIF_MARKER_OWNER = '@oclif/core'

exports.Performance = { mark: () => undefined, collect: async () => undefined, debug: () => undefined }
