import { onHtmx } from '../htmx.ts'

/** Shows at its terminal that an act was refused before it reached it, whatever the status, in the words of the answer. */
export function watchRefusals(): void {
  onHtmx<{ xhr: XMLHttpRequest }>('afterOnLoad', (target, { xhr }) => {
    const container = target.closest('[data-terminal]')?.querySelector('.fragment-refusal')
    if (container == null || xhr.status < 400 || xhr.responseText.includes('fragment-refusal')) return
    const notice = document
      .querySelector<HTMLTemplateElement>('template[data-refused]')
      ?.content.cloneNode(true) as DocumentFragment | undefined
    const text = notice?.querySelector('.notice-text > p:last-of-type')
    if (notice === undefined || text == null) return
    text.textContent = wordsOf(xhr)
    container.replaceChildren(notice)
  })
}

/** The text of a refusal page; for any other answer its status. */
function wordsOf({ responseText, status }: XMLHttpRequest): string {
  const resultText = new DOMParser().parseFromString(responseText, 'text/html').querySelector('.result-text')
  return resultText?.textContent ?? `The sandbox answered with status ${status}. Reload the page.`
}
