import type * as v from 'valibot'

/** An operation of the sandbox's own control interface, under `/_sandbox/`. */
export interface Control {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH'
  readonly path: string
  readonly summary: string
  readonly input: v.ObjectSchema<v.ObjectEntries, undefined>
  /** Shape of its answer; null for a stream of server-sent events. */
  readonly answer: v.GenericSchema | null
}
