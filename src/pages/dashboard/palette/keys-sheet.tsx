import { keyGroups } from '../../keys.ts'

/** The sheet of keys, which a script opens over the page. */
export const keysSheet = (): string =>
  String(
    <section class="panel keys-sheet stack gap-4" data-drawer-content>
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
    </section>,
  )
