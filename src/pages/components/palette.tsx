import { Icon } from './icons.tsx'

/** The button that opens the palette, and the palette; only where scripts run. */
export const Palette = () => (
  <>
    <button
      class="icon-button palette-open with-scripts"
      type="button"
      data-open-palette
      title="Search and act: ⌘K or Ctrl-K"
    >
      <Icon name="search" />
      <span class="visually-hidden">Search and act</span>
    </button>
    <dialog class="surface-raised palette" data-palette aria-label="Search and act">
      <form method="post">
        <input
          type="text"
          role="combobox"
          aria-expanded="true"
          aria-controls="palette-list"
          aria-label="Go to, search, or act"
          placeholder="Go to, search, or act; ? for keys"
          spellcheck={false}
          maxlength={64}
          autocomplete="off"
        />
        <div class="palette-list pad-2" id="palette-list" role="listbox" aria-label="Results" />
      </form>
    </dialog>
  </>
)
