import * as v from 'valibot'

/** An operation of the sandbox's own control interface, under `/_sandbox/`. */
export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  readonly path: string
  readonly summary: string
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
  /** Shape of its answer; null for a stream. */
  readonly answer: v.GenericSchema | null
  /** The body is a file of any length; the members are in the query. */
  readonly body?: 'file'
}

const row =
  <const M extends Control['method']>(method: M) =>
  <E extends v.ObjectEntries, A extends Control['answer']>(
    path: string,
    summary: string,
    members: E,
    answer: A,
  ) => ({ method, path: `/_sandbox${path}`, summary, input: v.object(members), answer })

/** Make rows of the control table: path below `/_sandbox`, summary, members of the request, shape of the answer. */
export const [get, post, put, patch] = [row('GET'), row('POST'), row('PUT'), row('PATCH')]
export const remove = row('DELETE')
