/** How long one stops typing before the changes follow. Milliseconds. */
const pause = 250

/** Updates the changes of a webhook while typing. */
export function followEdits(page: Document): void {
  const form = page.querySelector<HTMLFormElement>('form[data-edit-webhook]')
  if (form === null) return
  let waiting = 0
  let last = 0
  form.addEventListener('input', () => {
    clearTimeout(waiting)
    waiting = window.setTimeout(follow, pause)
  })
  if (isTyped(form)) void follow()

  async function follow(): Promise<void> {
    last += 1
    const requestNumber = last
    const changes = await changesOf(form as HTMLFormElement)
    if (changes !== null && requestNumber === last) page.querySelector('[data-changes]')?.replaceWith(changes)
  }
}

/** True when the form was edited before this script loaded. */
const isTyped = (form: HTMLFormElement): boolean =>
  [...form.querySelectorAll('textarea')].some(({ value, defaultValue }) => value !== defaultValue)

/** Null when the sandbox does not answer, which the page shows, or refuses the input, which sending shows. */
async function changesOf(form: HTMLFormElement): Promise<Element | null> {
  const fields = new URLSearchParams([...new FormData(form)].map(([name, value]) => [name, String(value)]))
  try {
    const answer = await fetch(form.action, { method: 'POST', body: fields })
    const drawn = new DOMParser().parseFromString(await answer.text(), 'text/html')
    const changes = drawn.querySelector('[data-changes]')
    return changes && document.importNode(changes, true)
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
