import type { IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Connection, Health } from '../../contract/control/control-answers.ts'
import type { Refusal } from '../../contract/errors.ts'

/** The node that the client called: its lock file names it, whichever node serves the space. */
export interface ReceivingNode extends Pick<Connection, 'runs' | 'logFile'> {
  readonly health: Health
}

/** What a node tells of a request that it forwards. */
export interface Forwarding {
  /** Address of the caller. */
  readonly address: string
  /** Whether its Host is a name of the node that the client called. */
  readonly isOwnHost: boolean
  /** The node that the client called; left out: the answering node describes itself. */
  readonly node?: ReceivingNode
}

/** A request of Node, with what is known of it before it reaches an app. */
export interface ReceivedRequest extends IncomingMessage {
  /** The whole body, once it was read; @hono/node-server reads it, too. */
  rawBody?: Buffer
  /** Of a request that is let in only to be answered with it: it comes before every other check. */
  refusal?: Refusal
  /** Of a request that another node checked and forwarded. */
  forwarded?: Forwarding
  /** Under its TLS connection: only TCP sockets can be reset. */
  tcpSocket?: Socket | undefined
}
