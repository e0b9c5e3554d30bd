/** Paints a text; what it adds takes no room on the screen. */
export type Paint = (text: string) => string

const bare: Paint = (text) => text

/** One line of a drawing, of a fixed number of columns: what is put later covers what was there. */
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

  /** The line without blanks at its end; neighbours of one paint are painted together. */
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
