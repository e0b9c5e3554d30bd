import { randomUUID } from 'node:crypto'
import { raw } from 'hono/html'
import type { Child } from 'hono/jsx'
import type { JSX } from 'hono/jsx/jsx-runtime'
import type { Scope } from '../../contract/control/tokens.ts'
import type { Refusal } from '../../contract/errors.ts'
import type { Terminal } from '../../domain/model/ledger.ts'
import type { FormRequest, HandlerResult } from '../../sandbox/answering/answer.ts'
import type { ControlContext, Spaces } from '../../sandbox/control/control-context.ts'
import type { Topic } from '../../sandbox/engine/changes.ts'
import type { EngineReader } from '../../sandbox/engine/engine.ts'
import type { Call } from '../../sandbox/http/call.ts'
import type { LiveStreams } from '../../sandbox/http/live-stream.ts'
import type { SecretHolders } from '../../sandbox/request-log/hide-secrets.ts'
import type { ReadableLog } from '../../sandbox/request-log/request-views.ts'
import type { Statistics } from '../../sandbox/views/statistics/statistics.ts'
import type { ConnectionContext } from '../../sandbox/views/views.ts'
import type { PendingContext } from '../../sandbox/views/why-pending.ts'
import type { Section } from '../components/navigation.tsx'
import type { KeptTries } from '../dashboard/workbench/kept-tries.ts'
import type { SharedDrawings } from '../serving/shared-drawings.ts'

/** Pieces of a page that change while it is open, as HTML by their id. */
export type Fragments = Readonly<Record<string, string>>

/** Puts a piece where it belongs on the page. */
export type FragmentSlot = (id: string) => Child

/** Puts pieces that are drawn already into a page. */
export const slotsFor =
  (fragments: Fragments): FragmentSlot =>
  (id) => (
    <div class="fragment min-w-0" id={escapeId(id)}>
      {raw(fragments[id] ?? '')}
    </div>
  )

/** A piece that takes the place of the one with its id. */
export const fragmentSwap = (id: string, html: string): string =>
  `<div id="${escapeId(id)}" hx-swap-oob="innerHTML">${html}</div>`

/** Removes all but letters, digits and dashes, because some ids contain the id of a transaction. */
const escapeId = (id: string): string => id.replace(/[^\w-]/g, '')

/** Parameters of a query, or fields of a form as they were typed, by name. */
export type Values = Readonly<Record<string, string>>

/** Input of a form, and why it was refused. */
export interface FormState {
  readonly values: Values
  readonly refusal?: Refusal | undefined
}

/** The request of a page. */
export interface PageRequest {
  /** Of the record that the path names; empty for a path that names none. */
  readonly id: string
  readonly query: Values
  /** Where the browser reached the sandbox. */
  readonly baseUrl: string
  /** Scope of the visitor's token, if there is one. */
  readonly scope?: Scope | undefined
}

/** A page of the dashboard: what stays, and what changes while it is open. */
export interface PageView {
  readonly title: string
  /** `sandbox`: it is about the whole sandbox, as the control in the masthead is. */
  readonly section?: Section | 'sandbox' | undefined
  /** A sentence under its title, and what is beside that; without both, the body has its own head. */
  readonly lead?: Child
  readonly aside?: ((slot: FragmentSlot) => Child) | undefined
  /** The topics of its fragments; a page without them does not change. */
  readonly live?: {
    readonly path: string
    readonly topics: readonly Topic[]
    /** Milliseconds until a fragment changes without an event; null: never. */
    readonly again?: () => number | null
  }
  /** The current fragments. */
  readonly fragments?: () => Promise<Fragments> | Fragments
  /** What stays, with the slots for the pieces. */
  readonly body: (slot: FragmentSlot) => Child
  readonly status?: 200 | 409 | 422
  /** It is a form, or a question before a change: a viewer is told that their token does not allow it. */
  readonly isAct?: true
}

/** Draws a page; `form`: one of its forms that was refused. */
export type MakePage = (
  context: PagesContext,
  request: PageRequest,
  form?: FormState,
) => PageView | Promise<PageView>

/** Does what a button asks; resolves to the next page, perhaps with a notice, or to the refused form. */
export type PageAction = (context: PagesContext, call: Call) => Promise<string | NoticeRedirect | PageView>

/** A piece as text. */
export const html = (piece: JSX.Element): string => String(piece)

/** Name of the space of a page; null for the first space, which is not named. assumption: spaces */
export const spaceName = ({ options }: PagesContext): string | null =>
  options.basePath.split('/').at(-1) || null

/** Title of a page, with its space; `usual`: title in the first space. */
export const titleIn = (space: string | null, title: string, usual: string): string =>
  space === null ? usual : `${title} · ${space} · tillbox`

/** The sandbox as its pages see it: they read, and change it by what they send alone. */
export interface PagesContext extends LiveStreams, ReadableLog, PendingContext, ConnectionContext {
  readonly engine: EngineReader
  readonly catalogue: ControlContext['catalogue']
  readonly settings: Pick<ControlContext['settings'], 'data'>
  readonly access: Pick<ControlContext['access'], 'list'>
  readonly spaces: Pick<Spaces, 'list'> | null
  readonly coverage: Pick<ControlContext['coverage'], 'report'>
  readonly faults: Pick<ControlContext['faults'], 'list' | 'untilNextState'>
  readonly attempts: Pick<ControlContext['attempts'], 'of'>
  readonly options: ConnectionContext['options'] &
    SecretHolders['options'] & {
      readonly extras: boolean
      /** Pauses before further attempts of a delivery. */
      readonly retries: readonly number[]
    }
  readonly statistics: Pick<Statistics, 'current'>
  /** Carries out a function of the control interface. */
  send<I extends readonly unknown[], A>(act: (context: ControlContext, ...input: I) => A, ...input: I): A
  /** Makes a request of the payment service; it is logged as one. */
  handleFormRequest(request: FormRequest): Promise<HandlerResult>
  readonly notices: Notices
  readonly tries: KeptTries
  readonly drawings: SharedDrawings<Fragments>
}

/** The first merchant's time zone, in which is written what belongs to no merchant. */
export const defaultTimeZone = ({ directory }: PagesContext): string =>
  directory.defaultApplication.merchants[0]?.timeZone ?? 'UTC'

/** Every terminal of a merchant. */
export const terminalsIn = ({ engine }: Pick<PagesContext, 'engine'>): readonly Terminal[] =>
  [...engine.state.ledgers.values()].flatMap(({ terminals }) => [...terminals.values()])

/** The result of a button, shown on the next page; with an undo, if there is one. */
export interface DoneNotice {
  readonly text: string
  readonly undo?: { readonly path: string; readonly fields: Values }
  /** The form of the page that was refused: it says so, in place of the notice. */
  readonly refused?: FormState
}

/** A redirect to a page, and the notice shown there. */
export interface NoticeRedirect {
  readonly to: string
  readonly notice: DoneNotice
}

/** Most notices that can still be shown. */
const maxNotices = 100

/** The latest results of buttons. Addresses hold ids of texts: no link can make a page say something. */
export class Notices {
  readonly #notices = new Map<string, DoneNotice>()

  /** The address of the page, on which the notice is shown. */
  addressFor({ to, notice }: NoticeRedirect): string {
    const id = randomUUID()
    this.#notices.set(id, notice)
    for (const oldest of this.#notices.keys())
      if (this.#notices.size > maxNotices) this.#notices.delete(oldest)
    const { pathname, searchParams } = new URL(to, 'http://sandbox')
    searchParams.set('notice', id)
    return `${pathname}?${searchParams}`
  }

  /** The notice with that id; undefined when it has been forgotten. */
  named(id: string | undefined): DoneNotice | undefined {
    return id === undefined ? undefined : this.#notices.get(id)
  }
}
