import { Icon, type IconName } from '../components/icons.tsx'
import { FragmentContainer, type WorkbenchFragment } from './workbench-fragments.tsx'

interface DeviceProps {
  readonly id: string
  readonly screen: WorkbenchFragment
}

/** The terminal itself: lights, display, keys, and the slot of the chip reader. */
export const Device = ({ id, screen }: DeviceProps) => (
  <div class="device wide relative centre">
    <div class="device-body relative">
      <p class="device-lights flex amid" aria-hidden="true">
        <i class="device-light round" />
        <i class="device-light round" />
        <i class="device-light round" />
        <i class="device-light round" />
      </p>
      <FragmentContainer fragment={screen} />
      <p class="device-dead bold text-center absolute" aria-hidden="true">
        No sandbox
      </p>
      <Keypad id={id} />
      <p class="device-maker smallest bold text-center above-3" aria-hidden="true">
        tillbox
      </p>
    </div>
    <div class="device-foot absolute" aria-hidden="true" />
  </div>
)

/** Digits and arrows need the page's script; the red key works without. */
const Keypad = ({ id }: { readonly id: string }) => (
  <fieldset class="keypad stack">
    <legend class="visually-hidden">Keypad</legend>
    {[...'123456789'].map(digitKey)}
    {iconKey('up', 'Up', 'up', 'key-arrow')}
    {digitKey('0')}
    {iconKey('down', 'Down', 'chevron', 'key-arrow')}
    <button
      class="key stack centered bold h-2-75 key-cancel"
      type="submit"
      form={`cancel-${id}`}
      aria-label="Cancel"
    >
      <Icon name="cross" />
    </button>
    {iconKey('clear', 'Clear', 'back', 'key-clear')}
    {iconKey('enter', 'Enter', 'check', 'key-enter')}
  </fieldset>
)

const digitKey = (digit: string) => (
  <button class="key stack centered bold h-2-75" type="button" data-key={digit}>
    {digit}
  </button>
)

const iconKey = (key: string, label: string, icon: IconName, className: string) => (
  <button
    class={`key stack centered bold h-2-75 ${className}`}
    type="button"
    data-key={key}
    aria-label={label}
  >
    <Icon name={icon} />
  </button>
)
