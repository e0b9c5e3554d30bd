import type { ScreenView } from '../../contract/sandbox/screens.ts'
import { Pairs } from '../components/pairs.tsx'
import { WorkbenchForm } from './screens/action-form.tsx'

/** Settings of a terminal: online or offline, mode, waiting payments, queued outcomes. */
export const TerminalSettings = ({ view }: { readonly view: ScreenView }) => {
  const { online, mode, waiting, queue } = view
  return (
    <>
      <WorkbenchForm view={view} act="set" className="gap-4 flex wrap">
        <Switch name="online" value={online ? 'false' : 'true'} on={online} label="Online" />
        <Switch
          name="mode"
          value={mode === 'attended' ? 'auto' : 'attended'}
          on={mode === 'attended'}
          label="Attended"
        />
      </WorkbenchForm>
      <Pairs
        kind="rows"
        pairs={[
          [
            'Waiting payments',
            waiting === 0 ? 'none' : online ? waiting : `${waiting}, until the terminal is online`,
          ],
          ['Queued outcomes', queue.length === 0 ? 'none' : queue.map(queuedOutcome)],
        ]}
      />
    </>
  )
}

const queuedOutcome = ({ outcome, times }: ScreenView['queue'][number]) => (
  <span class="queued block code">
    {outcome}
    {times > 1 && ` × ${times}`}
  </span>
)

interface SwitchProps {
  readonly name: 'online' | 'mode'
  /** What pressing it sets. */
  readonly value: string
  readonly on: boolean
  readonly label: string
}

const Switch = ({ name, value, on, label }: SwitchProps) => (
  <button
    class="switch row gap-2 medium h-2-75"
    type="submit"
    name={name}
    value={value}
    role="switch"
    aria-checked={on ? 'true' : 'false'}
  >
    <span class="switch-track round relative" aria-hidden="true" />
    {label}
  </button>
)
