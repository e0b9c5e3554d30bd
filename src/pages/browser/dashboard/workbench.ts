import { htmx, submittedFields } from '../htmx.ts'
import { announce, refusalIn } from '../notices.ts'
import { onPage } from '../on-page.ts'

/** Sends the editor of a record in place: the answer's part is shown. Without scripts it leads there. */
export function watchWorkbench(): void {
  onPage('submit', '[data-send-here]', (form: HTMLFormElement, event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') send(form, event.submitter)
  })
}

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  form.ariaBusy = 'true'
  const body = submittedFields(form, submitter)
  const answer = await fetch(form.action, { method: 'POST', body }).catch(() => null)
  const page = (await answer?.text()) ?? ''
  form.ariaBusy = null
  if (!form.isConnected) return // another record is shown
  if (page.includes(' id="wb"')) {
    const before = latestTry()
    for (const part of ['#headline', '#wb'].filter((each) => document.querySelector(each)))
      htmx.swap(part, page, { swapStyle: 'outerHTML', swapDelay: 0, settleDelay: 0 }, { select: part })
    keepChoices(form, document.querySelector('#wb .wb-editor'))
    document.querySelector('.wb-summary')?.scrollIntoView({ block: 'nearest' }) // on a phone it is above the editor
    if (latestTry() !== before) announce(latestTry())
  } else
    form
      .querySelector('[data-send-problem]')
      ?.replaceChildren(answer === null ? 'The sandbox does not answer.' : refusalIn(page, answer.status))
}

/** What the head of the latest try says. */
const latestTry = (): string =>
  [...document.querySelectorAll('.wb-try:first-child .wb-summary > *')]
    .map(({ textContent }) => textContent)
    .join(' ')

const foldsIn = (editor: Element) => [...editor.querySelectorAll('details')]

/** In the next editor open parts stay open, and boxes are as they were for what was sent. */
function keepChoices(from: Element, to: Element | null): void {
  if (to === null) return
  const folds = foldsIn(from)
  for (const [index, fold] of foldsIn(to).entries()) fold.open ||= folds[index]?.open ?? false
  for (const { id, checked } of from.querySelectorAll<HTMLInputElement>('[type=checkbox]')) {
    const box = to.querySelector<HTMLInputElement>(`#${CSS.escape(id)}`)
    if (box !== null) box.checked = checked
  }
}
