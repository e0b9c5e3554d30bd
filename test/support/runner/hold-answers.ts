import { afterAll, afterEach } from 'vitest'
import './answers-of-servers.ts'
import { takeProblems } from './held-answers.ts'

/** In every test file: an answer of a sandbox that is not as the OpenAPI document says fails the test in which it left. */

async function hold(): Promise<void> {
  const problems = await takeProblems()
  if (problems.length > 0) throw new Error(`The OpenAPI document says otherwise:\n${problems.join('\n')}`)
}

afterEach(hold)
afterAll(hold) // what left while the last test was cleaned up
