import { copied } from '../copy-commands.ts'
import { announce } from '../notices.ts'
import { onPage } from '../on-page.ts'

/**
 * Shows the path of the selected JSON line, such as `data.amount.orderAmount`. A click on its name copies it,
 * and so does Enter after the arrow keys.
 */
export function showPaths(): void {
  onPage('click', '.json-line', (line, event) => {
    const isName = event.target instanceof Element && event.target.closest('.json-key') !== null
    if (isName) event.preventDefault() // the name of an object does not fold it
    choose(line, isName)
  })
  document.addEventListener('keydown', (event) => {
    const { target, key } = event
    if (!(target instanceof Element && target.matches('.body-text:has(.json)'))) return
    if (key !== 'ArrowDown' && key !== 'ArrowUp' && key !== 'Enter') return
    const lines = [...target.querySelectorAll('.json-line')].filter((line) => line.checkVisibility())
    const index = lines.findIndex((line) => line.matches('[data-chosen]'))
    const next = key === 'Enter' ? index : index + (key === 'ArrowDown' ? 1 : -1)
    const line = lines[next]
    if (line === undefined) return
    event.preventDefault()
    line.scrollIntoView({ block: 'nearest' })
    choose(line, key === 'Enter')
  })
}

async function choose(line: Element, copies: boolean): Promise<void> {
  const body = line.closest('.body')
  const pathLabel = body?.querySelector('.body-path')
  if (body == null || pathLabel == null) return
  for (const other of body.querySelectorAll('[data-chosen]')) other.removeAttribute('data-chosen')
  line.setAttribute('data-chosen', '')
  const path = jsonPath(line)
  pathLabel.textContent = path
  if (copies && path !== '' && (await copied(path))) pathLabel.textContent = `${path} copied`
  announce(pathLabel.textContent)
}

/** Names and numbers from the top down to the line: `data.list[2].id`; empty at the top. */
function jsonPath(line: Element): string {
  let path = ''
  let node = line.matches('summary, .json-close') ? line.parentElement : line
  for (let fold = node?.parentElement; node != null && fold?.matches('details'); fold = node?.parentElement) {
    path = stepTo(node, fold) + path
    node = fold
  }
  return path.replace(/^\./, '')
}

function stepTo(node: Element, fold: Element): string {
  const head = node.matches('details') ? node.firstElementChild : node
  const name = head?.querySelector('.json-key')?.textContent
  if (name == null) return `[${[...fold.children].indexOf(node) - 1}]`
  const text: string = JSON.parse(name)
  return /^[\p{L}_$][\p{L}\p{N}_$]*$/u.test(text) ? `.${text}` : `[${name}]`
}
