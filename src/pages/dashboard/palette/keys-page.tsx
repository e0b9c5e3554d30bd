import type { MakePage } from '../../frame/page-view.tsx'
import { keyGroups } from '../../keys.ts'

/** The sheet of keys, over the page where scripts run. */
export const keysPage: MakePage = () => ({
  title: 'Keyboard shortcuts',
  body: () => (
    <section class="panel keys-sheet stack gap-4" aria-labelledby="action-title" data-drawer-content>
      <header class="row between gap-3">
        <h1 class="page-title tight" id="action-title">
          Keyboard shortcuts
        </h1>
        <a class="action action-plain" href="/" data-close>
          Close
        </a>
      </header>
      <div class="keys-groups">
        {keyGroups.map((group) => (
          <section>
            <h2 class="note">{group.title}</h2>
            <dl class="small">
              {group.keys.map(([keys, does]) => (
                <div class="row between gap-3">
                  <dt>{does}</dt>
                  <dd class="rigid">
                    {keys.split(' ').map((key) => (key === '–' ? ' – ' : <kbd>{key}</kbd>))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>
  ),
})
