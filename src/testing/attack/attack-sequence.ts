import { isDeepStrictEqual } from 'node:util'
import type { Sequence, SequenceStep } from '../../contract/presentation/sequence.ts'
import { parseStatus } from '../../contract/statuses.ts'
import type { Step } from '../scenario/file/read-scenario.ts'
import { inWords } from './in-words.ts'
import type { Observed } from './observe.ts'

const lanes: Sequence['lanes'] = [
  { name: 'client', label: 'customer' },
  { name: 'receiver', label: 'your server' },
  { name: 'service', label: 'tillbox' },
]

type Message = Pick<SequenceStep, 'from' | 'to' | 'text' | 'note' | 'tone'>

/** Who did what while the steps of a found scenario ran, as a sequence diagram. */
export function attackSequence(observed: readonly Observed[]): Sequence {
  const begin = observed[0]?.at ?? 0
  const steps = observed.flatMap((each) =>
    sequenceMessages(each).map((message) => ({
      ...message,
      at: each.at,
      since: each.at - begin,
      time: new Date(each.at).toISOString(),
      about: null,
    })),
  )
  return { lanes, steps }
}

function sequenceMessages({ step, refusedWith, requests, webhooks }: Observed): Message[] {
  const sent = requests.map(({ at, durationMs, operation, code, fault, refusal }) => ({
    begun: at - durationMs,
    message: {
      from: 'receiver',
      to: 'service',
      text: String(operation),
      note: fault ?? (code === '0' ? null : `${code} ${refusal?.message ?? ''}`.trim()),
      tone: fault !== null || code !== '0' ? 'bad' : 'plain',
    } satisfies Message,
  }))
  const received = webhooks.flatMap(({ delivery, tries }) =>
    tries.map(({ at, status, error, fault }) => ({
      begun: Date.parse(at),
      message: {
        from: 'service',
        to: 'receiver',
        text: `${delivery.transactionType} ${parseStatus(delivery.transactionStatus) ?? ''}`,
        note: [fault, status ?? error].filter((each) => each !== null).join(', '),
        tone: status === 200 ? 'good' : 'open',
      } satisfies Message,
    })),
  )
  const inOrder = [...sent, ...received].sort((one, other) => one.begun - other.begun)
  return [
    { ...stepMessage(step), ...(refusedWith && { note: String(refusedWith), tone: 'bad' as const }) },
    ...withCounts(inOrder.map(({ message }) => message)),
  ]
}

/** Equal messages in a row as one, with their number. */
function withCounts(messages: readonly Message[]): Message[] {
  const counted: { message: Message; count: number }[] = []
  for (const message of messages) {
    const last = counted.at(-1)
    if (last !== undefined && isDeepStrictEqual(last.message, message)) last.count++
    else counted.push({ message, count: 1 })
  }
  return counted.map(({ message, count }) =>
    count === 1 ? message : { ...message, text: `${message.text} × ${count}` },
  )
}

/** A step of the drive goes to the merchant's server; the others happen at the service, or to the server. */
function stepMessage(step: Step): Message {
  const { action } = step
  const text = inWords(step)
  if (action === 'server request') return { from: 'client', to: 'receiver', text, note: null, tone: 'plain' }
  if (action === 'webhook forge') return { from: 'service', to: 'receiver', text, note: null, tone: 'bad' }
  if (action === 'checkout pay') return { from: 'client', to: 'service', text, note: null, tone: 'plain' }
  const lane = action.startsWith('server ') || action === 'command' ? 'receiver' : 'service'
  return { from: lane, to: lane, text, note: null, tone: 'bad' }
}
