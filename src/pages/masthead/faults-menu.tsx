import { countedWebhookFaults } from '../../contract/sandbox/faults.ts'
import { Select, Submit } from '../components/actions.tsx'
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
        <Select
          name="times"
          options={[
            ['', 'once'],
            ['10', '10 times'],
            ['always', 'always'],
          ]}
        />
      </label>
      {mostUsed.map(([what, kinds]) => (
        <fieldset>
          <legend>{what}</legend>
          <div class="menu-buttons flex wrap gap-2">
            {kinds.map((kind) => (
              <Submit name="kind" value={kind}>
                {kind}
              </Submit>
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
