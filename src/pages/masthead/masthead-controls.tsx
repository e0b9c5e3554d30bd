import type { Child, PropsWithChildren } from 'hono/jsx'
import { Icon, type IconName } from '../components/icons.tsx'
import type { DoneNotice, MenuName, RefusedForm } from '../frame/notices.ts'
import { slotsFor } from '../frame/page-view.tsx'
import type { PagesContext } from '../frame/pages-context.ts'
import { ClockMenu } from './clock-menu.tsx'
import { FaultsMenu } from './faults-menu.tsx'
import { mastheadFacts } from './masthead-facts.tsx'
import { OutcomesMenu } from './outcomes-menu.tsx'
import { StateMenu } from './state-menu.tsx'

/** Clock, faults, queued outcomes and state: each says how it is, and opens the menu that changes it. */
export function mastheadControls(
  context: Pick<PagesContext, 'catalogue' | 'clock' | 'engine' | 'faults'>,
  notice?: DoneNotice,
) {
  const slot = slotsFor(mastheadFacts(context))
  const menu = menuWith(notice)
  const typed = notice?.refused?.fields ?? {}
  return (
    <section class="controls row gap-1 shrinks to-end" aria-label="Sandbox at a glance">
      {menu(
        'clock',
        'Clock',
        slot('fact-clock'),
        <ClockMenu slot={slot} clock={context.clock} typed={typed} />,
      )}
      {menu('faults', 'Faults', slot('fact-faults'), <FaultsMenu slot={slot} />)}
      {menu(
        'outcomes',
        'Queued',
        slot('fact-outcomes'),
        <OutcomesMenu slot={slot} context={context} typed={typed} />,
      )}
      {menu('state', 'State', null, <StateMenu typed={typed} />)}
    </section>
  )
}

const icons: Readonly<Record<MenuName, IconName>> = {
  clock: 'clock',
  faults: 'fault',
  outcomes: 'queue',
  state: 'stack',
}

/** A menu is open where its form was refused, and says why. */
const menuWith =
  (notice: DoneNotice | undefined) => (name: MenuName, label: string, says: Child, body: Child) => (
    <Menu name={name} label={label} says={says} refused={notice?.refused?.menu === name ? notice : undefined}>
      {body}
    </Menu>
  )

interface MenuProps {
  readonly name: MenuName
  readonly label: string
  readonly says: Child
  readonly refused: (DoneNotice & { readonly refused?: RefusedForm }) | undefined
}

const Menu = ({ name, label, says, refused, children }: PropsWithChildren<MenuProps>) => (
  <details class={`menu shrinks menu-${name}`} name="masthead" open={refused !== undefined}>
    <summary class="menu-head pad-0-2 round-s row note one-line h-2">
      <Icon name={icons[name]} />
      <span class="menu-label">{label}</span>
      {says}
    </summary>
    <div class="popover menu-body small">
      {refused !== undefined && (
        <p class="menu-refused round-s pad-2-3 bad medium" role="alert">
          {refused.text}
        </p>
      )}
      {children}
    </div>
  </details>
)
