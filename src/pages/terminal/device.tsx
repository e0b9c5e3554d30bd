import { Icon } from '../components/icons.tsx'
import { PlacedFragment, type WorkbenchFragment } from './workbench-fragments.tsx'

interface DeviceProps {
  readonly id: string
  readonly screen: WorkbenchFragment
}

/** The terminal itself: lights, display, keys, and the slot of the chip reader. */
export const Device = ({ id, screen }: DeviceProps) => (
  <div class="device">
    <div class="device-body">
      <p class="device-lights" aria-hidden="true">
        <i class="device-light" />
        <i class="device-light" />
        <i class="device-light" />
        <i class="device-light" />
      </p>
      <PlacedFragment fragment={screen} />
      <Keypad id={id} />
      <p class="device-maker" aria-hidden="true">
        tillbox
      </p>
    </div>
    <div class="device-foot" aria-hidden="true" />
  </div>
)

/** Digits and arrows need the page's script; the red key works without. */
const Keypad = ({ id }: { readonly id: string }) => (
  <fieldset class="keypad">
    <legend class="visually-hidden">Keypad</legend>
    {['1', '2', '3', '4', '5', '6', '7', '8', '9'].map((digit) => (
      <Digit digit={digit} />
    ))}
    <button class="key key-arrow" type="button" data-key="up" aria-label="Up">
      <Icon name="up" />
    </button>
    <Digit digit="0" />
    <button class="key key-arrow" type="button" data-key="down" aria-label="Down">
      <Icon name="chevron" />
    </button>
    <button class="key key-cancel" type="submit" form={`cancel-${id}`} aria-label="Cancel">
      <Icon name="cross" />
    </button>
    <button class="key key-clear" type="button" data-key="clear" aria-label="Clear">
      <Icon name="back" />
    </button>
    <button class="key key-enter" type="button" data-key="enter" aria-label="Enter">
      <Icon name="check" />
    </button>
  </fieldset>
)

const Digit = ({ digit }: { readonly digit: string }) => (
  <button class="key" type="button" data-key={digit}>
    {digit}
  </button>
)
