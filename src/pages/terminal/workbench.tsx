import { terminalPath } from '../../contract/control/screens.ts'
import { isOnLoopback } from '../../contract/control/state-folder.ts'
import type { Refusal } from '../../contract/errors.ts'
import { Select } from '../components/actions.tsx'
import { Fold } from '../components/basics.tsx'
import { CopyText } from '../components/command.tsx'
import { Icon, type IconName } from '../components/icons.tsx'
import { actionLooks } from '../components/looks.ts'
import { RefusalNotice, refusalLook } from './screens/forms.tsx'
import { deviceView, type WorkbenchView, workbenchId } from './screens/workbench-view.ts'
import { fragmentContainer, type WorkbenchFragment, workbenchFragments } from './workbench-fragments.tsx'

interface WorkbenchProps {
  readonly view: WorkbenchView
  readonly refusal?: Refusal | undefined
}

/** A terminal with everything around it: cards, settings, the last receipt, and its latest payments. */
export const Workbench = ({ view, refusal }: WorkbenchProps) => {
  const { terminalSn } = view.screen
  const id = workbenchId(terminalSn)
  const { note, screen, cards, settings, receipt, latest, story } = workbenchFragments(view)
  return (
    <section
      class="workbench @container/counter mx-auto w-full max-w-400"
      data-terminal={terminalSn}
      aria-labelledby={`title-${id}`}
    >
      <header class="workbench-head relative mb-4 flex items-baseline gap-2 in-[.shop-alone]:sr-only">
        <hgroup class="flex min-w-0 flex-wrap items-baseline gap-x-2 *:max-w-full">
          <h1 class="workbench-title font-mono text-lg/[1.5] font-semibold" id={`title-${id}`}>
            {terminalSn}
          </h1>
          {fragmentContainer(note)}
        </hgroup>
        <div class="flex items-center gap-2 flex-none ms-auto">
          <PhonePanel view={view} />
          {view.screen.merchantName !== null && (
            <a
              class={actionLooks.plain}
              href={`/payments/new?${new URLSearchParams({ terminalSn, from: 'terminal' })}`}
              data-drawer
            >
              New sale<span class="sr-only"> at {terminalSn}</span>
            </a>
          )}
        </div>
      </header>
      <p class="sr-only" role="status" data-announce />
      <div class={refusalLook} id={`refusal-${id}`}>
        <RefusalNotice refusal={refusal} />
      </div>
      <div class="workbench-top">
        {device(id, screen, view)}
        {fragmentContainer(cards)}
        <div class="terminal-settings flex flex-wrap items-center gap-x-6 gap-y-2 rounded-lg border bg-paper px-4 py-2 text-sm [&_select]:w-56 [&_select]:min-w-0 *:[.fragment-settings]:contents">
          <p class="flex items-center gap-2">
            <label class="font-medium whitespace-nowrap" for={`answer-${id}`}>
              Next outcome
            </label>
            {/* it belongs to the form of the cards */}
            <Select
              id={`answer-${id}`}
              name="outcome"
              form={`present-${id}`}
              options={[
                ['', 'default'],
                ...view.catalogue.outcomes.map(({ name, code }) => [name, `${code} ${name}`] as const),
              ]}
            />
          </p>
          {fragmentContainer(settings)}
        </div>
        <div class="side flex flex-col gap-6 *:empty:hidden @min-[44rem]/counter:@max-[66rem]/counter:contents @min-[44rem]/counter:@max-[66rem]/counter:*:col-span-full @min-[44rem]/counter:@max-[66rem]/counter:[&>.fragment-receipt]:[grid-area:2/2/4] @min-[44rem]/counter:@max-[66rem]/counter:not-has-[>.fragment-receipt>*]:[&>:is(.fragment-story:not(:empty),.fragment-story:empty+.fragment-latest)]:[grid-area:var(--below)/2/4] @min-[66rem]/counter:grid @min-[66rem]/counter:has-[>.fragment-receipt>*]:grid-cols-[22rem_minmax(0,1fr)] @min-[66rem]/counter:grid-rows-[auto_1fr] @min-[66rem]/counter:items-start @min-[66rem]/counter:[&>.fragment-receipt]:row-span-2">
          {fragmentContainer(receipt)}
          {fragmentContainer(story)}
          {fragmentContainer(latest)}
        </div>
      </div>
    </section>
  )
}

/** The terminal itself: lights, display, keys, and the slot of the chip reader. */
const device = (id: string, screen: WorkbenchFragment, view: WorkbenchView) => (
  <div class="device w-full relative mx-auto">
    <div class="device-body relative">
      <p class="device-lights rounded-full" aria-hidden="true" />
      {fragmentContainer(screen)}
      <p class="device-dead font-semibold text-center absolute" aria-hidden="true">
        No sandbox
      </p>
      <Keypad id={id} view={view} />
      <p class="mt-3 text-center text-xs font-semibold tracking-[0.02em] text-[#9fb0a7]" aria-hidden="true">
        tillbox
      </p>
    </div>
    <div
      class="device-foot absolute inset-x-[14%] bottom-5.5 -z-2 h-6 rounded-b-[1.25rem] bg-[#0b0f0d]"
      aria-hidden="true"
    />
  </div>
)

/** Keys with an icon: its name, what a reader hears, and the class of its colour. */
const iconKeys: Readonly<Record<string, readonly [icon: IconName, label: string, className?: string]>> = {
  up: ['up', 'Up'],
  down: ['chevron', 'Down'],
  cancel: ['cross', 'Cancel', 'key-cancel bg-linear-to-b from-[#c2402a] to-[#a12f1c]'],
  clear: ['back', 'Clear', 'bg-linear-to-b from-[#f0c544] to-[#d7a51c] text-[#2b2000]'],
  enter: ['check', 'Enter', 'key-enter bg-linear-to-b from-[#178a55] to-[#0d6f42]'],
}

/** Digits and arrows need the page's script; the red key works without, if there is something to cancel. */
const Keypad = ({ id, view }: { readonly id: string; readonly view: WorkbenchView }) => (
  <fieldset class="keypad mt-3 grid grid-cols-3 gap-x-2.5 gap-y-1.5">
    <legend class="sr-only">Keypad</legend>
    {[...'123456789', 'up', '0', 'down', 'cancel', 'clear', 'enter'].map((key) => {
      const [icon, label, className = ''] = iconKeys[key] ?? []
      const sends = key === 'cancel'
      return (
        <button
          class={`key grid place-items-center font-semibold ${sends && view.screen.acts.includes('cancel') ? 'noscript:col-span-full' : 'noscript:hidden'} ${className}`}
          type={sends ? 'submit' : 'button'}
          form={sends ? `cancel-${id}` : undefined}
          data-key={sends ? undefined : key}
          aria-label={label}
        >
          {icon === undefined ? key : <Icon name={icon} />}
        </button>
      )
    })}
  </fieldset>
)

/** The terminal alone, on another device: the code that opens it, or what makes the sandbox reachable. */
const PhonePanel = ({ view: { deviceUrl, screen } }: { readonly view: WorkbenchView }) => {
  const path = terminalPath(screen.terminalSn)
  return (
    <Fold summary="Open on a phone" className="fold phone text-sm @max-[44rem]/counter:hidden">
      <div class="popover end-0 top-[calc(100%+0.25rem)] w-[min(22rem,100%)]">
        {isOnLoopback(deviceUrl) ? (
          <>
            <p class="text-ink-soft">
              Only this machine reaches {new URL(deviceUrl).origin}. Restart the sandbox with --host, and open
              this page at the machine's own address: it then shows a QR code for the phone.
            </p>
            <CopyText text="tillbox sandbox restart --host 0.0.0.0 --token generate" />
          </>
        ) : (
          <>
            <img
              class="w-48 rounded-lg"
              src={`${path}/phone.svg`}
              alt="QR code of the address below"
              loading="lazy"
            />
            <p class="text-ink-soft">
              The code opens {deviceUrl}, which --host or --public-url makes reachable from a phone.
            </p>
          </>
        )}
        <p>
          <a href={path + deviceView}>Show the device alone</a>
        </p>
      </div>
    </Fold>
  )
}

/** The QR code of an address, as SVG. */
export async function drawQrCode(address: string): Promise<string> {
  const [{ generate }, { toSvgSource }] = await Promise.all([import('lean-qr'), import('lean-qr/extras/svg')])
  return toSvgSource(generate(address), { off: 'white', width: null, height: null })
}
