import { hiddenKey } from '../../contract/sandbox/request-log-answers.ts'
import { secretsOf } from '../../webhooks/secrets.ts'
import type { PagesContext } from '../frame/pages-context.ts'

type KeyHolders = Pick<PagesContext, 'directory' | 'settings'>

/**
 * A page, or its event stream, for users with the scope viewer. API keys and webhook secrets, which some pages show in
 * commands to copy, are shortened to their end. assumption: token-scopes
 */
export async function hiddenFromViewers(holders: KeyHolders, response: Response): Promise<Response> {
  const { body } = response
  const type = response.headers.get('content-type') ?? ''
  if (body === null) return response
  if (type.startsWith('text/html')) return new Response(hideIn(holders, await response.text()), response)
  if (!type.startsWith('text/event-stream')) return response
  return new Response(body.pipeThrough(byMessage((text) => hideIn(holders, text))), response)
}

/**
 * Secrets are read each time, because they may have been rotated. HTML escapes none of their characters, so pages have
 * them verbatim.
 */
function hideIn({ directory, settings }: KeyHolders, text: string): string {
  let shown = text
  for (const application of directory.applications) {
    const { current, previous } = secretsOf(settings.data, application)
    const keys = [...application.keys, ...directory.keysOf(application)].map(({ key }) => key)
    for (const secret of [...keys, current, ...(previous === undefined ? [] : [previous.secret])])
      if (secret !== '') shown = shown.replaceAll(secret, hiddenKey(secret))
  }
  return shown
}

/** Changes whole messages of a stream, however they are cut into pieces. */
function byMessage(change: (text: string) => string): TransformStream<Uint8Array, Uint8Array> {
  const [decoder, encoder] = [new TextDecoder(), new TextEncoder()]
  let rest = ''
  return new TransformStream({
    transform(piece, to) {
      rest += decoder.decode(piece, { stream: true })
      const end = rest.lastIndexOf('\n\n')
      if (end < 0) return
      to.enqueue(encoder.encode(change(rest.slice(0, end + 2))))
      rest = rest.slice(end + 2)
    },
    flush(to) {
      if (rest !== '') to.enqueue(encoder.encode(change(rest)))
    },
  })
}
