import { control } from '../client/client.ts'
import type { AnsweredControl, ControlAnswer } from '../contract/sandbox/controls/controls.ts'
import { BaseCommand } from './base-command.ts'
import { type SandboxFlags, serverFlags, serverOf } from './connection/sandbox-address.ts'

/** What goes with a control operation: names of its path, and members. */
interface ServerRequest {
  readonly names?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, unknown>>
}

/** A command that asks a server about what belongs to no single space, and shows what it answers. */
export abstract class ServerCommand extends BaseCommand {
  static override flags = serverFlags

  /** Calls a control operation and shows its answer. Errors: as `serverOf` and `control`. */
  protected async ask<N extends AnsweredControl>(
    flags: SandboxFlags & { readonly json: boolean },
    name: N,
    { names = {}, members }: ServerRequest,
    render: (answer: ControlAnswer<N>) => Promise<string>,
  ): Promise<void> {
    const answer = await control(await serverOf(flags), name, members, { names })
    await this.show(flags.json, answer, () => render(answer))
  }
}
