import { actionLooks, titleLook } from '../../components/looks.ts'
import { keyGroups } from '../../keys.ts'

const Key = ({ name }: { readonly name: string }) => (
  <kbd class="min-w-6 rounded-md border border-b-2 border-line-strong bg-sunken px-1 text-center font-sans text-xs/[1.5] font-medium text-ink">
    {name}
  </kbd>
)

/** The sheet of keys, which a script opens over the page. */
export const keysSheet = (): string =>
  String(
    <section
      class="panel keys-sheet mx-auto grid max-h-[84dvh] max-w-184 gap-4 overflow-y-auto"
      data-drawer-content
    >
      <header class="flex items-center justify-between gap-3">
        <h1 class={titleLook} id="keys-title">
          Keyboard shortcuts
        </h1>
        <a class={actionLooks.plain} href="/" data-close>
          Close
        </a>
      </header>
      <div class="columns-[20rem] gap-x-8">
        {keyGroups.map((group) => (
          <section class="break-inside-avoid pb-4">
            <h2 class="text-note text-ink-soft">{group.title}</h2>
            <dl class="text-sm">
              {group.keys.map(([keys, does]) => (
                <div class="flex items-center justify-between gap-3 py-1">
                  <dt>{does}</dt>
                  <dd class="flex flex-none items-center gap-1 text-note text-ink-soft">
                    {keys
                      .split(' ')
                      .map((part, index) => (index % 2 === 0 ? <Key name={part} /> : <span>{part}</span>))}
                  </dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </section>,
  )
