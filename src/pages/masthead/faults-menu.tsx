import { countedWebhookFaults } from '../../contract/sandbox/faults.ts'
import type { FragmentSlot } from '../frame/page-view.tsx'

/** The most used faults, in their written form; all of them can be limited to a number of times. */
const mostUsed = [
  ['API', ['http-503', 'http-429', 'lost-answer', 'latency=2000']],
  ['Webhooks', countedWebhookFaults],
] as const

/** Injects a fault by one press. */
export const FaultsMenu = ({ slot }: { readonly slot: FragmentSlot }) => (
  <>
    {slot('faults-on')}
    <form class="stack gap-2" method="post" action="/faults">
      <label class="row gap-2 one-line">
        <span>Inject</span>
        <select name="times" autocomplete="off">
          <option value="">once</option>
          <option value="10">10 times</option>
          <option value="always">always</option>
        </select>
      </label>
      {mostUsed.map(([what, kinds]) => (
        <fieldset>
          <legend>{what}</legend>
          <div class="menu-buttons flex wrap gap-2">
            {kinds.map((kind) => (
              <button class="action action-plain action-small" type="submit" name="kind" value={kind}>
                {kind}
              </button>
            ))}
          </div>
        </fieldset>
      ))}
    </form>
    <p class="menu-more pad-top-3 flex between rule-above">
      <a href="/faults">All faults</a>
    </p>
  </>
)
