/** Other names of `--terminal`, the flag that names a terminal. */
export const terminalNames = { aliases: ['terminal-sn'] }
