import { control } from '../../client/client.ts'
import { Unreachable } from '../../client/http.ts'
import { NoSandbox } from '../../client/which-sandbox.ts'
import type { ControlAnswer } from '../../contract/control/controls/controls.ts'
import { BaseCommand } from '../base-command.ts'
import { resolveSandbox, sandboxFlags } from '../connection/sandbox-address.ts'
import { warn } from '../hints/same-sandbox.ts'

type FixtureLists = { readonly [N in 'cards' | 'outcomes']: ControlAnswer<N> }

/** The command that lists the running sandbox's test cards or outcomes; `builtIn`: where none runs. */
export function fixtureListCommand<N extends keyof FixtureLists>(
  name: N,
  builtIn: FixtureLists[N],
  render: (list: FixtureLists[N]) => Promise<string>,
) {
  return class FixtureListCommand extends BaseCommand {
    static override description =
      'Lists those of the running sandbox, its --fixtures included; when none runs, the built-in ones. A narrow window hides columns. ' +
      `--json prints an object with the list under ${name}.`
    static override examples = [`tillbox ${name}`, `tillbox ${name} --json`]
    static override listMember = name
    static readonly control = name
    static override flags = sandboxFlags

    async run(): Promise<void> {
      const { flags } = await this.parse(FixtureListCommand)
      const sandbox = await resolveSandbox(flags).catch((error: Error) => {
        const isNamed = flags['base-url'] !== undefined || flags.state !== undefined
        if (isNamed || !(error instanceof Unreachable || error instanceof NoSandbox)) throw error
        warn(`No sandbox runs: these are the built-in ${name}; one with --fixtures has its own`)
      })
      const list = sandbox ? await control(sandbox, name) : builtIn
      await this.show(list, () => render(list as FixtureLists[N]))
    }
  }
}
