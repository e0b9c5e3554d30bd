import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { string as stringArg } from '@oclif/core/args'
import { packageRoot } from '../../shared/package-root.ts'
import { BaseCommand } from '../base-command.ts'

/**
 * The scripts are files of fixtures/completion. They know no command: at each Tab they run `tillbox
 * __complete` with the words of the line. It prints a proposal a line, with a tab before its description; or
 * `:files` or `:folders`, for what the shell itself completes. That of bash is for 3.2 and later, which
 * splits words at : and =.
 */
export default class Completion extends BaseCommand {
  static override summary = 'Print a completion script for bash, zsh or fish.'
  static override description = `Load it for this window only, or save it in a file for all future windows.

bash, in ~/.bashrc:
  eval "$(tillbox completion bash)"
zsh, in ~/.zshrc after compinit:
  eval "$(tillbox completion zsh)"
fish, once:
  tillbox completion fish > ~/.config/fish/completions/tillbox.fish

The script asks tillbox at each Tab. Terminals, outcomes, cards and recent transactions come from the running sandbox on this machine, and from no other service. tillbox must be on the PATH: npm install -g tillbox, or add node_modules/.bin.`
  static override examples = [
    'tillbox completion bash',
    'tillbox completion zsh > ~/.zsh/_tillbox',
    'tillbox completion fish > ~/.config/fish/completions/tillbox.fish',
  ]
  static override args = {
    shell: stringArg({ description: 'Your shell.', options: ['bash', 'zsh', 'fish'], required: true }),
  }

  async run(): Promise<void> {
    const { args } = await this.parse(Completion)
    const { shell } = args
    const script = readFileSync(join(packageRoot, `fixtures/completion/tillbox.${shell}`), 'utf8')
    await this.show({ shell, script }, () => script)
  }
}
