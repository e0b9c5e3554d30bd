import { control } from '../client/client.ts'
import type { AnsweredControl, ControlAnswer } from '../contract/sandbox/controls.ts'
import { BaseCommand } from './base-command.ts'
import { type SandboxFlags, sandboxFlags, sandboxOf } from './connection/sandbox-address.ts'

/** What goes with a control operation: names of its path, and members. */
interface ControlRequest {
  readonly names?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, unknown>> | undefined
}

/** A command that asks a sandbox, and shows what it answers. */
export abstract class SandboxCommand extends BaseCommand {
  static override flags = sandboxFlags

  /** Calls a control operation and shows its answer, which it resolves to. Errors: as `sandboxOf` and `control`. */
  protected async ask<N extends AnsweredControl>(
    flags: SandboxFlags & { readonly json: boolean },
    name: N,
    { names = {}, members }: ControlRequest,
    render: (answer: ControlAnswer<N>) => Promise<string>,
  ): Promise<ControlAnswer<N>> {
    const answer = await control(await sandboxOf(flags), name, members, { names })
    await this.show(flags.json, answer, () => render(answer))
    return answer
  }
}
