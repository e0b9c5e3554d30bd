import { sizeOf } from '../../text/window-size.ts'
import { themeOf } from './theme.ts'

const frames = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏']

/** One live line on standard error, and lines that stay; without a terminal only those. */
export class StatusLine {
  readonly #theme = themeOf('stderr')
  readonly #started = performance.now()
  readonly #timer: NodeJS.Timeout | undefined
  #text = ''
  #frame = 0

  constructor(private readonly stream: NodeJS.WriteStream = process.stderr) {
    if (stream.isTTY) this.#timer = setInterval(() => this.#draw(), 100).unref()
  }

  say(text: string): void {
    this.#text = text
  }

  /** Writes lines that stay, above the live one; without a terminal too. */
  note(text: string): void {
    this.stream.write(`${this.#timer === undefined ? '' : '\r\u001b[2K'}${text}`)
  }

  clear(): void {
    clearInterval(this.#timer)
    if (this.#timer !== undefined) this.stream.write('\r\u001b[2K')
  }

  #draw(): void {
    if (this.#text === '') return
    this.#frame = (this.#frame + 1) % frames.length
    const seconds = Math.floor((performance.now() - this.#started) / 1000)
    const line = `${frames[this.#frame]} ${this.#text}  ${seconds} s`.slice(
      0,
      sizeOf(this.stream).columns - 1,
    )
    this.stream.write(`\r\u001b[2K${this.#theme.open(line)}`)
  }
}
