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

/** Which rules decided an answer, in one line that unfolds: their order, and how each is known. */
export const WhyFold = ({ answer: { summary, steps, claims } }: { readonly answer: WhyAnswer }) => {
  const byName = new Map(claims.map((claim) => [claim.name, claim]))
  return (
    <Fold summary={`Why: ${summary}`} look="small">
      <ol class="mt-1 text-sm">
        {steps.map(({ what, result, detail, claims: names }) => (
          <li class="py-1">
            {marks[result]} <Sentence text={what} />
            {detail !== null && (
              <p class="ps-4">
                <Sentence text={detail} />
              </p>
            )}
            <ul class="ps-4 text-note text-ink-soft">
              {names.map((name) => {
                const { kind = '', source = '', setting = null } = byName.get(name) ?? {}
                const changes = setting === null ? '' : ` Setting: ${setting}.`
                return (
                  <li>
                    <Sentence text={`${capitalize(kind)} ${name}: ${source.replace(/\.$/, '')}.${changes}`} />
                  </li>
                )
              })}
            </ul>
          </li>
        ))}
      </ol>
    </Fold>
  )
}
