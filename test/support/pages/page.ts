import { computeAccessibleName, getRole } from 'dom-accessibility-api'
import { parseHTML } from 'linkedom'
import type { PlainAnswer } from '../network/exchange.ts'

/** HTML by its structure: elements by role and name, as a screen reader has them, and what they say. */

/** A page, or a part of one that a stream pushes. */
export function pageOf(html: string): Document {
  const isWhole = /^\s*<!doctype/i.test(html)
  return parseHTML(isWhole ? html : `<!doctype html><html><body>${html}</body></html>`).document
}

/** An answer, with what a reader has of its page. */
export class PageAnswer implements PlainAnswer {
  readonly status: number
  readonly headers: PlainAnswer['headers']
  readonly text: string
  #page: Document | undefined

  constructor({ status, headers, text }: PlainAnswer) {
    this.status = status
    this.headers = headers
    this.text = text
  }

  get page(): Document {
    this.#page ??= pageOf(this.text)
    return this.#page
  }

  get words(): string {
    return wordsOf(this.page)
  }

  /** Ids of what a list has, in its order. */
  get listed(): string[] {
    return [...this.page.querySelectorAll('[id^=row-]')].map(({ id }) => id.replace('row-', ''))
  }
}

/** Elements that stand within words. */
const withinWords = ['BDI', 'WBR']

const readNode = (node: Node): string => {
  if (node.nodeType === 3) return node.nodeValue ?? '' // a text
  if (node.nodeName === 'SCRIPT' || node.nodeName === 'STYLE') return ''
  const inside = [...node.childNodes].map(readNode).join('')
  return withinWords.includes(node.nodeName) ? inside : ` ${inside} `
}

/** What a reader sees of it: one space between words. */
export const wordsOf = (node: Node): string => readNode(node).replace(/\s+/g, ' ').trim()

/** The parser has no styles: only what stands within words is read without a space. */
const getComputedStyle = ({ nodeName }: Element) =>
  ({
    getPropertyValue: (property: string) =>
      property === 'display' && withinWords.includes(nodeName) ? 'inline' : '',
  }) as CSSStyleDeclaration

/** How an element is called. */
export const nameOf = (element: Element): string => computeAccessibleName(element, { getComputedStyle })

/** The parser knows no type of a field that states none: a text is typed there. */
const roleOf = (element: Element): string | null =>
  element.matches('input:not([type], [role])') ? 'textbox' : getRole(element)

/** The elements with that role, and with that name if one is given. What is hidden is not among them. */
export function allByRole(within: ParentNode, role: string, name?: string | RegExp): Element[] {
  const isCalled = (element: Element) => {
    if (name === undefined) return true
    return typeof name === 'string' ? nameOf(element) === name : name.test(nameOf(element))
  }
  const isHidden = (element: Element) => element.closest('[hidden], [aria-hidden=true]') !== null
  return [...within.querySelectorAll('body *')].filter(
    (each) => roleOf(each) === role && !isHidden(each) && isCalled(each),
  )
}

/** Names of the elements with that role, in their order. */
export const namesOf = (within: ParentNode, role: string): string[] => allByRole(within, role).map(nameOf)

/** The one element with that role and name. Errors: there is none, or another one. */
export function byRole(within: ParentNode, role: string, name?: string | RegExp): Element {
  const [found, ...others] = allByRole(within, role, name)
  if (found !== undefined && others.length === 0) return found
  const there = namesOf(within, role).join(' | ')
  throw new Error(`the page has ${found ? others.length + 1 : 'no'} ${role} ${name ?? ''}, of: ${there}`)
}

/** Where the one link of that name leads. */
export const linkTo = (within: ParentNode, name: string | RegExp): string =>
  byRole(within, 'link', name).getAttribute('href') ?? ''

/** An attribute of each element that a selector finds. */
export const attributesOf = (within: ParentNode, selector: string, attribute: string): string[] =>
  [...within.querySelectorAll(selector)].map((each) => each.getAttribute(attribute) ?? '')

/** Where its links lead. */
export const hrefsIn = (within: ParentNode): string[] => attributesOf(within, 'a[href]', 'href')

/** The hidden fields of its forms. */
export const hiddenFields = (within: ParentNode): Record<string, string> =>
  Object.fromEntries(
    [...within.querySelectorAll('input[type=hidden]')].map((field) => [
      field.getAttribute('name'),
      field.getAttribute('value'),
    ]),
  )

/** The value of a field as it is shown: typed, or chosen. */
export function fieldValue(within: ParentNode, id: string): string | null {
  const field = within.querySelector(`#${id}`)
  if (field?.nodeName === 'TEXTAREA') {
    const typed = (field.textContent ?? '').replace(/^\n/, '') // which a browser drops
    return pageOf(typed).body.textContent // the parser leaves entities in there
  }
  return (field?.querySelector('option[selected]') ?? field)?.getAttribute('value') ?? null
}

/** What is in a page that its policy would not run: a script of its own, a style, or what acts on an event. */
export const inlineCode = (within: ParentNode): string[] =>
  [...within.querySelectorAll('*')]
    .filter(
      (each) =>
        each.nodeName === 'STYLE' ||
        (each.nodeName === 'SCRIPT' && !each.hasAttribute('src')) ||
        each.getAttributeNames().some((attribute) => /^(style|srcdoc|on.*)$/i.test(attribute)),
    )
    .map(({ outerHTML }) => outerHTML)
