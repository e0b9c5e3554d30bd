/** Paints a text; the added characters take no room on the screen. */
export type Paint = (text: string) => string

const bare: Paint = (text) => text

/** One line of a drawing with a fixed width: later text covers earlier text. */
export class CanvasLine {
  readonly #characters: string[]
  readonly #paints: Paint[]

  constructor(width: number) {
    this.#characters = Array.from({ length: width }, () => ' ')
    this.#paints = Array.from({ length: width }, () => bare)
  }

  /** Puts a text at a column; what does not fit is cut. */
  put(column: number, text: string, paint: Paint = bare): this {
    for (const [index, character] of [...text].entries()) {
      if (column + index < 0 || column + index >= this.#characters.length) continue
      this.#characters[column + index] = character
      this.#paints[column + index] = paint
    }
    return this
  }

  /** The line without trailing blanks; neighbours with the same paint are painted together. */
  toString(): string {
    const end = this.#characters.findLastIndex((character) => character !== ' ') + 1
    let line = ''
    for (let start = 0; start < end; ) {
      const paint = this.#paints[start] as Paint
      let next = start + 1
      while (next < end && this.#paints[next] === paint) next += 1
      const text = this.#characters.slice(start, next).join('')
      line += text.trim() === '' ? text : paint(text)
      start = next
    }
    return line
  }
}
