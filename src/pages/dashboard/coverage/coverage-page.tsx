import {
  type CoverageReport,
  type CoveredSituation,
  nothingMet,
  unjudgedText,
} from '../../../contract/control/coverage-answers.ts'
import { addressVariable } from '../../../contract/presentation/copy-as.ts'
import { capitalize } from '../../../shared/text/words.ts'
import { AddressedCommand } from '../../components/command.tsx'
import { plural } from '../../components/format.ts'
import { titleLook } from '../../components/looks.ts'
import { Tabs } from '../../components/navigation.tsx'
import { Empty, Panel } from '../../components/panel.tsx'
import { html, type MakePage } from '../../frame/page-view.tsx'

type State = CoveredSituation['state']

/** Each state: its words, its tone, and what is said where no situation has it. */
const states: Readonly<Record<State, readonly [words: string, tone: string, none: string]>> = {
  handled: ['Dealt with', 'success', 'Nothing is dealt with yet'],
  gap: ['Gap', 'fail', 'No gap: what was met was dealt with'],
  unmet: ['Never met', 'closed', 'Every situation was met'],
}

/** What the merchant's code met in this sandbox, and whether it dealt with it. docs/exam.md */
export const coveragePage: MakePage = ({ coverage, engine }, { query, baseUrl }) => {
  const variable = addressVariable(baseUrl)
  const chosen = Object.keys(states).find((state) => state === query.state) ?? ''
  return {
    title: 'Coverage',
    section: 'sandbox',
    lead: [
      'Situations of a payment service that your code met here, and whether it did what it should. ',
      <a class="whitespace-nowrap" href="/docs/guides/exam">
        How it is judged
      </a>,
    ],
    live: {
      path: `/coverage/live${chosen && `?state=${chosen}`}`,
      topics: ['requests', 'transactions', 'webhooks'],
    },
    fragments: () => {
      const report = coverage.report(engine.state)
      const shown = report.situations.filter(({ state }) => chosen === '' || state === chosen)
      return {
        share: html(drawShare(report, chosen)),
        situations: html(
          shown.length === 0 ? (
            <Empty title={states[chosen as State][2]} />
          ) : (
            groups(report.situations, shown)
          ),
        ),
      }
    },
    body: (slot) => (
      <>
        <section class="panel mb-4" aria-label="Share">
          {slot('share')}
        </section>
        {variable !== undefined && (
          <p class="mb-4 grid gap-1">
            Each command shows a situation; your own code has to meet it, too. First point your shell at this
            sandbox:
            <AddressedCommand text={variable} />
          </p>
        )}
        {slot('situations')}
      </>
    ),
  }
}

const drawShare = (report: CoverageReport, chosen: string) => {
  const { handled, met, situations } = report
  const all = situations.length
  const counts = { '': all, handled, gap: met - handled, unmet: all - met }
  const tabs = Object.entries(counts).map(([state, count]) => {
    const words = states[state as State]?.[0] ?? 'All'
    return [state, words, `/coverage${state && `?state=${state}`}`, count] as const
  })
  return (
    <>
      <p class="flex flex-wrap items-baseline gap-2">
        <strong class={`${titleLook} tabular-nums`}>
          {handled} of {all}
        </strong>
        <span class="text-ink-soft text-pretty">{met === 0 ? nothingMet : 'situations are dealt with'}</span>
      </p>
      {report.unjudged > 0 && <p class="text-note text-ink-soft">{unjudgedText(report)}</p>}
      <svg
        class="block h-2 w-full rounded-full bg-line mt-2"
        viewBox={`0 0 ${all} 1`}
        preserveAspectRatio="none"
        aria-hidden="true"
      >
        <rect class="fill-(--tone) tone-fail" width={met} height="1" />
        <rect class="fill-(--tone) tone-success" width={handled} height="1" />
      </svg>
      <Tabs label="States" id="state" tabs={tabs} chosen={chosen} />
    </>
  )
}

const groups = (all: readonly CoveredSituation[], shown: readonly CoveredSituation[]) => (
  <>
    {[...new Set(shown.map(({ group }) => group))].map((name) => {
      const ofGroup = all.filter(({ group }) => group === name)
      const handled = ofGroup.filter(({ state }) => state === 'handled').length
      return (
        <Panel
          title={name}
          name={name.replaceAll(/\W+/g, '-').toLowerCase()}
          note={<span class="text-note text-ink-soft tabular-nums">{`${handled} of ${ofGroup.length}`}</span>}
        >
          <ul>{shown.filter(({ group }) => group === name).map(situationRow)}</ul>
        </Panel>
      )
    })}
  </>
)

const situationRow = (situation: CoveredSituation) => {
  const { name, title, state, times, proved, advice, how, gaps } = situation
  const [, tone] = states[state]
  const words =
    state === 'handled' ? (proved === times ? 'Proved by orders' : 'Seen in requests') : states[state][0]
  return (
    <li class="situation grid grid-cols-[minmax(0,1fr)_auto] items-baseline gap-x-2 gap-y-1 border-t py-2 md:grid-cols-[8.25rem_minmax(16.25rem,2fr)_minmax(0,3fr)]">
      <span class="max-md:col-start-2 max-md:row-start-1">
        <span class={`state tone-${tone}`}>{words}</span>
      </span>
      <span class="flex flex-wrap items-baseline gap-1">
        <span class="font-medium">{title}</span>
        {times > 0 && <span class="text-note text-ink-soft">{plural(times, 'time')}</span>}
        <span class="code w-full text-note text-ink-soft max-md:hidden">{name}</span>
      </span>
      {state === 'unmet' && (
        <div class="grid gap-1 max-md:col-span-full">
          <AddressedCommand text={how} />
        </div>
      )}
      {state === 'gap' && (
        <div class="max-md:col-span-full">
          <p>{advice}</p>
          <ul class="text-bad">
            {[...new Set(gaps.map(({ gap }) => gap))].map((text) => (
              <li class="mt-1">
                {capitalize(text)}:{' '}
                {gaps
                  .filter(({ gap }) => gap === text)
                  .map(({ transactionId, traceId }, index) => (
                    <>
                      {index > 0 && ', '}
                      {transactionId === null ? (
                        <a href={`/requests/${traceId}`}>the request</a>
                      ) : (
                        <a href={`/transactions/${transactionId}`}>{transactionId}</a>
                      )}
                    </>
                  ))}
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}
