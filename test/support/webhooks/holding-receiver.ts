import type { ServerResponse } from 'node:http'
import { openReceiver } from './webhook-receiver.ts'

/** A receiver that holds its answers back until they are asked for. */
export async function openHolding() {
  const held: ServerResponse[] = []
  let [open, mostOpen, status] = [0, 0, 0]
  const receiver = await openReceiver((_, response) => {
    open += 1
    mostOpen = Math.max(mostOpen, open)
    response.on('close', () => {
      open -= 1
    })
    if (status === 0) held.push(response)
    else response.writeHead(status).end()
  })
  return {
    ...receiver,
    mostOpen: () => mostOpen,
    /** Answers the one that has waited longest. */
    release: (answer = 200) => held.shift()?.writeHead(answer).end(),
    /** Answers everything, from now on too. */
    releaseAll: (answer = 200) => {
      status = answer
      for (const response of held.splice(0)) response.writeHead(answer).end()
    },
  }
}
