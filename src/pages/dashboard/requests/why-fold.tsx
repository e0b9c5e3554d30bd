import type { WhyAnswer, WhyStep } from '../../../contract/control/why-answers.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { Fold } from '../../components/basics.tsx'
import { Sentence } from '../../components/command.tsx'

const marks: Readonly<Record<WhyStep['result'], string>> = {
  passed: '✓',
  refused: '✗',
  decided: '→',
  noted: '·',
}

interface WhyFoldProps {
  readonly answer: WhyAnswer
  /** What unfolds it; left out: the summary. */
  readonly title?: string
}

/** Which rules decided an answer, in a line that unfolds: what passed by name, what decided with evidence. */
export const WhyFold = ({ answer: { summary, steps, claims }, title = `Why: ${summary}` }: WhyFoldProps) => (
  <Fold summary={title} look="small">
    <ol class="mt-1 text-sm">
      {steps.map(({ what, result, detail, claims: names }) => (
        <li class="py-0.5">
          {marks[result]} <Sentence text={what} />{' '}
          <span class="text-note text-ink-soft">{result === 'passed' && names.join(', ')}</span>
          {detail !== null && (
            <p class="ps-4">
              <Sentence text={detail} />
            </p>
          )}
          {result !== 'passed' && names.length > 0 && (
            <ul class="ps-4 text-note text-ink-soft">
              {claims.filter(({ name }) => names.includes(name)).map(evidence)}
            </ul>
          )}
        </li>
      ))}
    </ol>
  </Fold>
)

const evidence = ({ name, kind, source, setting }: WhyAnswer['claims'][number]) => (
  <li>
    <Sentence
      text={[`${capitalize(kind)} ${name}: ${source.replace(/\.$/, '')}`, setting && `Setting: ${setting}`]
        .filter(Boolean)
        .join('. ')}
    />
  </li>
)
