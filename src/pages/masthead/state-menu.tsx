import { Refusal } from '../../contract/errors.ts'
import type { ListedCheckpoint } from '../../contract/sandbox/checkpoint-answers.ts'
import { listCheckpoints } from '../../control/state/checkpoint-handlers.ts'
import { PostButton, Submit } from '../components/actions.tsx'
import { plural } from '../components/format.ts'
import type { PagesContext } from '../frame/page-view.tsx'
import type { TypedFields } from './clock-menu.tsx'

/** Checkpoints of the menu; the page has all of them. */
const mostListed = 5

/** Resets, saves and restores. The folder of checkpoints is read when the menu is seen; without scripts its page has them. */
export const StateMenu = ({ typed }: { readonly typed: TypedFields }) => (
  <>
    <form method="post" action="/checkpoints" class="menu-form pad-top-3 stack gap-2 rule-above">
      <label>
        <span>Name of a checkpoint</span>
        <input
          name="name"
          required
          maxlength={64}
          value={typed.name}
          placeholder="before-lunch"
          spellcheck={false}
          autocomplete="off"
        />
      </label>
      <Submit look="main">Save</Submit>
    </form>
    <div hx-get="/checkpoints/latest" hx-select="ul, .menu-note" hx-trigger="intersect" />
    <p class="menu-more pad-top-3 flex between rule-above">
      <a href="/checkpoints">All checkpoints</a>
      <a class="bad" href="/reset">
        Reset…
      </a>
    </p>
  </>
)

/** The checkpoints of the menu, or why the folder cannot be read. */
export async function latestCheckpoints(context: Pick<PagesContext, 'checkpoints'>) {
  try {
    return <Latest checkpoints={latestFirst((await listCheckpoints(context)).checkpoints)} />
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return <p class="menu-note note">{error.detail ?? error.message}</p>
  }
}

/** The latest checkpoints first. */
export const latestFirst = (checkpoints: readonly ListedCheckpoint[]): readonly ListedCheckpoint[] =>
  checkpoints.toSorted((one, other) => (other.savedAt ?? '').localeCompare(one.savedAt ?? ''))

const Latest = ({ checkpoints }: { readonly checkpoints: readonly ListedCheckpoint[] }) =>
  checkpoints.length === 0 ? (
    <p class="menu-note note">No checkpoint is saved.</p>
  ) : (
    <ul class="stack gap-1">
      {checkpoints
        .filter(({ problem }) => problem === null)
        .slice(0, mostListed)
        .map(({ name, transactions }) => (
          <li class="flex baseline between gap-3">
            <span>
              <span class="code">{name}</span>{' '}
              <span class="note">{plural(transactions ?? 0, 'transaction')}</span>
            </span>
            <PostButton action={`/checkpoints/${name}/restore`} look="link" about={name}>
              Restore
            </PostButton>
          </li>
        ))}
    </ul>
  )
