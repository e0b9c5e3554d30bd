import type { JSX as Elements } from 'hono/jsx'

/** HTML that a page takes as it is: an element, or text by `raw`. No value that came from outside is one. */
export class Html {
  readonly #text: string

  constructor(text: string) {
    this.#text = text
  }

  toString(): string {
    return this.#text
  }
}

/** The content of an element: text is escaped; null, undefined and booleans are left out. */
export type Child = Html | string | number | boolean | null | undefined | readonly Child[]

/** Properties of a component with children. */
export type PropsWithChildren<P = unknown> = P & { readonly children?: Child }

interface Props {
  readonly children?: Child
  readonly [name: string]: unknown
}

/** Text that is HTML already, and is not escaped. */
export const raw = (html: string): Html => new Html(html)

/**
 * What the compiler makes of an element. A page is one string as soon as it is written: nothing is drawn later, and no
 * asynchronous context is tracked, as hono/jsx does for every later request. Names of elements and attributes are those of
 * the source, so only values are escaped.
 */
export function jsx(type: string | ((props: Props) => Child), props: Props): Html {
  if (typeof type === 'function') return new Html(htmlOf(type(props)))
  let tag = `<${type}`
  for (const [name, value] of Object.entries(props)) if (name !== 'children') tag += attribute(name, value)
  return new Html(voidElements.has(type) ? `${tag}/>` : `${tag}>${htmlOf(props.children)}</${type}>`)
}

export { jsx as jsxDEV, jsx as jsxs }

/** Children without an element around them. */
export const Fragment = ({ children }: PropsWithChildren): Child => children

/** Children as HTML. */
function htmlOf(child: Child): string {
  if (typeof child === 'string') return escapeHtml(child)
  if (child instanceof Html || typeof child === 'number') return String(child)
  if (child === null || typeof child !== 'object') return ''
  let html = ''
  for (const each of child) html += htmlOf(each)
  return html
}

function attribute(name: string, value: unknown): string {
  if (value === null || value === undefined) return ''
  if (typeof value === 'boolean' && booleanAttributes.has(name)) return value ? ` ${name}=""` : ''
  return ` ${name}="${escapeHtml(String(value))}"`
}

const escapeHtml = (text: string): string => text.replace(/[&<>"']/g, (sign) => entities[sign] ?? sign)

const entities: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

const voidNames = [
  'area',
  'base',
  'br',
  'col',
  'embed',
  'hr',
  'img',
  'input',
  'link',
  'meta',
  'source',
  'track',
  'wbr',
] as const

const voidElements: ReadonlySet<string> = new Set(voidNames)

/** Those that are there or not; any other says true or false, as aria-hidden does. */
const booleanAttributes: ReadonlySet<string> = new Set(
  (
    'async autofocus checked controls defer disabled download formnovalidate hidden inert loop multiple muted nomodule ' +
    'novalidate open playsinline readonly required reversed selected'
  ).split(' '),
)

type AttributeValue = string | number | boolean | null | undefined

/** The attributes that hono declares for an element, those that its types lack, and any with a dash. */
type Attributes<T> = {
  readonly [name in keyof T as string extends name ? never : name]?: Extract<T[name], AttributeValue>
} & { readonly [name in 'autocomplete' | 'formaction' | 'name' | 'rel' | 'role']?: string | undefined } & {
  readonly [name: `${string}-${string}`]: AttributeValue
}

type KnownElements = Elements.IntrinsicElements

/** What the compiler takes for elements, and for children. */
export declare namespace JSX {
  type Element = Html
  type ElementType = keyof IntrinsicElements | ((props: never) => Child)
  interface ElementChildrenAttribute {
    readonly children: Child
  }
  type IntrinsicElements = {
    readonly [tag in keyof KnownElements as string extends tag ? never : tag]: Attributes<
      KnownElements[tag]
    > &
      (tag extends (typeof voidNames)[number] ? unknown : PropsWithChildren)
  } & { readonly [tag in 'circle' | 'line' | 'path' | 'rect' | 'svg' | 'text']: Props }
}
