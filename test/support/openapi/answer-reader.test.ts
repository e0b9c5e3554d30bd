import { expect, test } from 'vitest'
import { AnswerReader } from './answer-reader.ts'

const chunked = 'HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n'

test('a chunked answer is read in whatever pieces it comes', () => {
  const reader = new AnswerReader()
  const bytes = Buffer.from(`${chunked}4;a=b\r\nwiki\r\nA\r\n0123456789\r\n0\r\n\r\n`)
  const answers = [...bytes].flatMap((byte) => reader.take(Buffer.from([byte])))
  expect(answers).toEqual([{ status: 200, type: '', body: 'wiki0123456789' }])
})

test('an answer that follows the head of a chunked one, as after HEAD, is an error and not a chunk', () => {
  const reader = new AnswerReader()
  const message = 'no chunk begins like this: HTTP/1.1 200 OK'
  expect(() => reader.take(Buffer.from(chunked + chunked))).toThrow(message)
})
