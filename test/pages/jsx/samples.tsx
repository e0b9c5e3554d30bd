import { type Child, raw } from '../../../src/pages/jsx/jsx-runtime.ts'

const Strong = ({ children }: { readonly children?: Child }) => <strong>{children}</strong>

const Nothing = () => null

/** Text and an attribute that came from outside. */
export const foreign = (text: string) => <p title={text}>{text}</p>

/** Elements, with the HTML that they are. */
export const samples = [
  [<p>{[1, ['two', [<b>3</b>]], null, undefined, true, false, 0]}</p>, '<p>1two<b>3</b>0</p>'],
  [<br />, '<br/>'],
  [<input name="a" disabled required={false} value={undefined} />, '<input name="a" disabled=""/>'],
  [
    <p class="note" aria-hidden={true} data-open={false} />,
    '<p class="note" aria-hidden="true" data-open="false"></p>',
  ],
  [<p>{raw('<i>"</i>')}</p>, '<p><i>"</i></p>'],
  [<Strong>a &amp; b</Strong>, '<strong>a &amp; b</strong>'],
  [<Nothing />, ''],
  [
    <>
      <i>1</i> and {2}
    </>,
    '<i>1</i> and 2',
  ],
] as const

/** What the compiler refuses. */
export const refused = () => [
  // @ts-expect-error: no such element
  <nonsense />,
  // @ts-expect-error: no such attribute
  <option vale="1">1</option>,
  // @ts-expect-error: a number where hono wants a text
  <option label={1}>1</option>,
  // @ts-expect-error: an object is not text
  <p>{{ html: '<b>' }}</p>,
  // @ts-expect-error: neither is it an attribute
  <p class={{}} />,
]
