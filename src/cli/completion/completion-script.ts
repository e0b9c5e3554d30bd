import { bashScript } from './bash.ts'
import { type CommandManifest, type CommandTree, commandTree } from './command-tree.ts'
import { fishScript } from './fish.ts'
import { zshScript } from './zsh.ts'

/** How the script of each shell is made. */
const scripts = {
  bash: bashScript,
  zsh: zshScript,
  fish: fishScript,
} as const satisfies Readonly<Record<string, (tree: CommandTree) => string>>

/** A script that completes the commands of the manifest in a shell. */
export const completionScript = (shell: keyof typeof scripts, manifest: CommandManifest): string =>
  scripts[shell](commandTree(manifest))
