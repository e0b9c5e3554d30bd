import type { Child, PropsWithChildren } from 'hono/jsx'
import { type Pair, Pairs } from './pairs.tsx'

interface RecordHeadProps {
  readonly title: Child
  /** How it stands, under the title. */
  readonly state: Child
  readonly facts: readonly Pair[]
}

/** The head of the page of one record; what can be done with it comes inside. */
export const RecordHead = ({ title, state, facts, children }: PropsWithChildren<RecordHeadProps>) => (
  <header class="record-head">
    <div>
      <h1 class="record-title">{title}</h1>
      <p class="record-state">{state}</p>
    </div>
    <Pairs kind="facts" pairs={facts} />
    <div class="record-actions">{children}</div>
  </header>
)
