import { Submit } from '../../components/actions.tsx'
import { Icon } from '../../components/icons.tsx'

/** Views that the browser keeps, by name: the script fills them in. Without scripts an address is kept as a bookmark. */
export const SavedViews = () => (
  <nav class="views" aria-label="Saved views" data-views hidden>
    <ul class="views-list flex wrap smaller" />
    <template>
      <li class="view">
        <a class="view-link ink medium no-underline" href="/">
          View
        </a>
        <button class="icon-button view-remove" type="button">
          <Icon name="cross" />
        </button>
      </li>
    </template>
  </nav>
)

/** Names the view of the address; shown unless the view is kept already. */
export const SaveView = () => (
  <details class="save-view relative" data-save-view hidden>
    <summary class="link-button">Save view</summary>
    <form class="popover save-view-form">
      <label>
        <span class="visually-hidden">Name of the view</span>
        <input name="name" required maxlength={40} placeholder="Name" autocomplete="off" />
      </label>
      <Submit look="main">Save</Submit>
    </form>
  </details>
)
