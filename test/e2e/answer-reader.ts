/** An HTTP answer as it came over the wire. */
export interface ServiceAnswer {
  readonly status: number
  /** Media type, in lower case; empty when there is none. */
  readonly type: string
  readonly body: string
}

/** Takes what comes over a connection and cuts it into answers, those of the 1xx left out. */
export class AnswerReader {
  #rest = Buffer.alloc(0)

  /** The answers that are whole now. Errors: what comes is no HTTP. */
  take(chunk: Buffer): ServiceAnswer[] {
    this.#rest = this.#rest.length === 0 ? Buffer.from(chunk) : Buffer.concat([this.#rest, chunk])
    const answers: ServiceAnswer[] = []
    for (let next = this.#next(); next !== null; next = this.#next())
      if (next.status >= 200) answers.push(next)
    return answers
  }

  #next(): ServiceAnswer | null {
    const end = this.#rest.indexOf('\r\n\r\n')
    if (end === -1) return null
    const head = this.#rest.toString('latin1', 0, end)
    const status = Number(/^HTTP\/1\.[01] (\d{3}) /.exec(head)?.[1])
    if (Number.isNaN(status)) throw new Error(`no answer of HTTP begins like this: ${head.slice(0, 80)}`)
    const body = this.#bodyAt(end + 4, head, status)
    if (body === null) return null
    this.#rest = this.#rest.subarray(body.end)
    return { status, type: (headerIn(head, 'content-type') ?? '').toLowerCase(), body: body.text }
  }

  #bodyAt(start: number, head: string, status: number): { text: string; end: number } | null {
    if (status < 200 || status === 204 || status === 304) return { text: '', end: start }
    if (/chunked/i.test(headerIn(head, 'transfer-encoding') ?? '')) return this.#chunksAt(start)
    const end = start + Number(headerIn(head, 'content-length') ?? 0)
    return this.#rest.length < end ? null : { text: this.#rest.toString('utf8', start, end), end }
  }

  #chunksAt(start: number): { text: string; end: number } | null {
    const parts: Buffer[] = []
    for (let offset = start; ; ) {
      const line = this.#rest.indexOf('\r\n', offset)
      if (line === -1) return null
      const size = chunkBytes(this.#rest.toString('latin1', offset, line))
      const end = line + 2 + size + 2
      if (this.#rest.length < end) return null
      if (size === 0) return { text: Buffer.concat(parts).toString('utf8'), end }
      parts.push(this.#rest.subarray(line + 2, end - 2))
      offset = end
    }
  }
}

/** Bytes of a chunk, from the line before it. Errors: another line, as after an answer to HEAD, which has no body. */
function chunkBytes(line: string): number {
  const digits = /^[\da-f]+(?=;|$)/i.exec(line)?.[0]
  if (digits === undefined) throw new Error(`no chunk begins like this: ${line.slice(0, 80)}`)
  return Number.parseInt(digits, 16)
}

const headerIn = (head: string, name: string): string | undefined =>
  new RegExp(`\\r\\n${name}: *([^\\r]*)`, 'i').exec(head)?.[1]
