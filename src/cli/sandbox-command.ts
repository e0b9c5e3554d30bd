import { control } from '../client/client.ts'
import type { FoundSandbox } from '../client/discover.ts'
import { requireNamed } from '../client/which-sandbox.ts'
import {
  type AnsweredControl,
  type ControlAnswer,
  type ControlName,
  controls,
} from '../contract/control/controls/controls.ts'
import type { Members } from '../contract/validate.ts'
import { BaseCommand } from './base-command.ts'
import {
  type Asked,
  resolveSandbox,
  resolveServer,
  type SandboxFlags,
  type Server,
  sandboxFlags,
  serverFlags,
} from './connection/sandbox-address.ts'
import { hint } from './hints/same-sandbox.ts'
import { clean } from './output/clean.ts'
import {
  readyToWait,
  type WaitFor,
  type WaitWebhooksFlags,
  waitForDeliveries,
} from './webhook/wait-webhooks.ts'

interface ControlRequest<N extends AnsweredControl> {
  readonly names?: Readonly<Record<string, string>>
  readonly members?: Readonly<Record<string, unknown>> | undefined
  readonly apiKey?: string | undefined
  /** How long to wait for the answer, in milliseconds. */
  readonly timeout?: number
  /** Whose deliveries `--wait-webhooks` waits for; left out: all. */
  readonly waitsFor?: (answer: ControlAnswer<N>) => WaitFor
}

/** A command that asks a server about what belongs to no single space, and shows what it answers. */
export abstract class ServerCommand extends BaseCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, ...serverFlags }

  #server: Promise<Server> | undefined

  /** The server for an operation, or for look-ups; it is looked for once. */
  protected find(flags: SandboxFlags, asks?: Asked): Promise<Server> {
    this.#server ??= resolveServer(flags, { asks })
    return this.#server
  }

  /**
   * Calls a control operation and shows its answer, which it resolves to; with `--wait-webhooks` once its
   * webhooks are delivered.
   */
  protected async ask<N extends AnsweredControl>(
    flags: SandboxFlags & WaitWebhooksFlags,
    name: N,
    { names = {}, members, waitsFor, ...options }: ControlRequest<N>,
    render: (answer: ControlAnswer<N>) => string | Promise<string>,
  ): Promise<ControlAnswer<N>> {
    const sandbox = await this.find(flags, name)
    requireNamed(sandbox, name) // a look-up may have found it before
    await readyToWait(sandbox, flags)
    const answer = await control(sandbox, name, members, { names, ...options })
    await this.show(answer, () => render(answer))
    if (flags['wait-webhooks']) await waitForDeliveries(sandbox, flags, waitsFor?.(answer))
    return answer
  }
}

/** A command that asks a sandbox, or one of its spaces, and shows what it answers. */
export abstract class SandboxCommand extends ServerCommand {
  static override baseFlags = { ...BaseCommand.baseFlags, ...sandboxFlags }

  #sandbox: Promise<FoundSandbox> | undefined

  /** The sandbox for an operation, or for look-ups; it is looked for once. */
  protected override find(flags: SandboxFlags, asks?: Asked): Promise<FoundSandbox> {
    this.#sandbox ??= resolveSandbox(flags, { asks })
    return this.#sandbox
  }

  /** Opens a page of the sandbox in the browser of a person, and prints its URL. */
  protected async openPage({ baseUrl, token }: FoundSandbox, path: string, asJson = false): Promise<void> {
    const url = baseUrl + path
    const isForPerson = !asJson && process.stdout.isTTY === true
    const opened = isForPerson && (await (await import('./browser.ts')).openInBrowser(url))
    await this.show({ url, opened }, async () => `${clean(url)}\n`)
    if (token === undefined) return
    process.stderr.write(
      hint(
        'The pages of this sandbox want its token: add ?token=… to the URL once. `tillbox sandbox env --show-key` shows it.\n',
      ),
    )
  }
}

/** The summary of a command: that of its row. */
export const summaryOf = (name: ControlName): string => `${controls[name].summary}.`

/**
 * A command that asks one control operation and shows its answer. Its first arguments are the names of the
 * path, in their order. A member of the request is the flag or argument that `memberFlags` has for it, or the
 * one of its name.
 */
export function controlCommand<N extends AnsweredControl>(
  name: N,
  render: (answer: ControlAnswer<N>, members: Members) => Promise<string>,
  asks: typeof ServerCommand = SandboxCommand,
) {
  const { path, input } = controls[name]
  return class ControlCommand extends asks {
    static override summary = summaryOf(name)

    /** What goes with it beside names. */
    readonly request: ControlRequest<N> = {}

    async run(): Promise<void> {
      const { args: argSpecs, flags: flagSpecs, baseFlags, memberFlags } = this.ctor as typeof ControlCommand
      const { args, flags } = await this.parse({ args: argSpecs, flags: flagSpecs, baseFlags })
      const named = [...path.matchAll(/:(\w+)/g)].map(([, part]) => part)
      const words = Object.values(args).map(String)
      const names = Object.fromEntries(named.map((part, index) => [part, words[index]]))
      const inputs = Object.entries({ ...args, ...flags }).filter(
        ([each]) => !Object.hasOwn(sandboxFlags, each),
      )
      const typed = new Map<unknown, unknown>(inputs)
      const members = Object.fromEntries(
        Object.keys(input.entries).map((member) => [member, typed.get(memberFlags[member] ?? member)]),
      )
      const request = { names, ...(Object.keys(members).length > 0 && { members }), ...this.request }
      await this.ask(flags, name, request, (answer) => render(answer, members))
    }
  }
}
