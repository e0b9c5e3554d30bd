import { string } from '@oclif/core/flags'
import { parseWait } from '../../input/typed-values.ts'
import { waitUntilReady } from '../../lifecycle/wait-for-sandbox.ts'
import { clean } from '../../output/clean.ts'
import { SandboxCommand } from '../../sandbox-command.ts'

export default class SandboxWait extends SandboxCommand {
  static override summary = 'Wait until the sandbox is ready.'
  static override description =
    'Returns as soon as the sandbox answers. When the time is over, the exit code is 3.'
  static override examples = ['tillbox sandbox wait', 'tillbox sandbox wait --timeout 10s --json']
  static override flags = {
    timeout: string({ description: 'How long to wait.', default: '30s', helpValue: '<duration>' }),
  }

  async run(): Promise<void> {
    const { flags } = await this.parse(SandboxWait)
    const ready = await waitUntilReady(flags, parseWait(flags.timeout, 'timeout'))
    await this.show(ready, () => `${clean(`The sandbox at ${ready.url} is ready.`)}\n`)
  }
}
