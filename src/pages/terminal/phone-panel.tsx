import { terminalPath } from '../../contract/sandbox/screens.ts'
import { isOnLoopback } from '../../contract/sandbox/state-folder.ts'
import { Fold } from '../components/basics.tsx'
import { CopyText } from '../components/command.tsx'
import { deviceView, type WorkbenchView } from './screens/workbench-view.ts'

/** The terminal alone, on another device: the code that opens it, or what makes the sandbox reachable. */
export const PhonePanel = ({ view: { deviceUrl, screen } }: { readonly view: WorkbenchView }) => {
  const path = terminalPath(screen.terminalSn)
  return (
    <Fold summary="Open on a phone" className="fold phone small">
      <div class="stack gap-3 pad-0-3">
        {isOnLoopback(deviceUrl) ? (
          <>
            <p class="soft">
              {new URL(deviceUrl).origin} reaches only this machine, and no phone. Start the sandbox with
              --host, then open this page at the address of this machine: a QR code is here then.
            </p>
            <CopyText text="tillbox sandbox restart --host 0.0.0.0 --token generate" />
          </>
        ) : (
          <>
            <img
              class="phone-code"
              src={`${path}/phone.svg`}
              alt="QR code of the address below"
              loading="lazy"
            />
            <p class="soft breaks">
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
export async function qrCodeOf(address: string): Promise<string> {
  const [{ generate }, { toSvgSource }] = await Promise.all([import('lean-qr'), import('lean-qr/extras/svg')])
  return toSvgSource(generate(address), { off: 'white', width: null, height: null })
}
