import { bestMatches } from '../../shared/text/match.ts'

/** What acts on the page, or on the record beside its list; `data-act` names what acts elsewhere. */
const acting = 'main :is(a.action:not(.pager *), button.action, a[download])'

const mostHeadings = 6

/**
 * What the page below the palette can do, as a group of options: its own links and buttons, which are pressed
 * when an option is chosen. Null when it can do nothing that fits what is typed.
 */
export function pageActions(typed: string): Element | null {
  const byText = new Map<string, HTMLElement>()
  const places = typed.trim() === '' ? [acting] : [acting, '.pager .action', '[data-act]']
  for (const element of places.flatMap((each) => [...document.querySelectorAll<HTMLElement>(each)])) {
    const text = actionLabel(element)
    if (element.checkVisibility() && !element.matches(':disabled') && !byText.has(text))
      byText.set(text, element)
  }
  const found = [...byText.keys()]
  const shown = typed.trim() === '' ? found : bestMatches(typed, found, (text) => [text])
  if (shown.length === 0) return null
  const group = document.createElement('fieldset')
  group.setAttribute('aria-label', 'On this page')
  const title = group.appendChild(document.createElement('p'))
  title.className = 'px-2 pt-2 pb-1 text-note text-ink-soft'
  title.setAttribute('aria-hidden', 'true')
  title.textContent = 'On this page'
  for (const [index, text] of shown.slice(0, mostHeadings).entries())
    group.append(createOption(text, `page-option-${index}`, byText.get(text)))
  return group
}

const actionLabel = (element: HTMLElement): string =>
  (element.dataset.act ?? element.getAttribute('aria-label') ?? element.textContent)
    .replace(/\s+/g, ' ')
    .trim()

function createOption(text: string, id: string, acts: HTMLElement | undefined): HTMLElement {
  const option = document.createElement('button')
  option.type = 'button'
  option.id = id
  option.tabIndex = -1
  option.className = 'palette-option'
  option.setAttribute('role', 'option')
  option.setAttribute('aria-selected', 'false')
  option.textContent = text
  option.addEventListener('click', () => acts?.click())
  return option
}
