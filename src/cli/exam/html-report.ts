import { html, raw } from 'hono/html'
import { type ExamReport, examSigns } from './exam-report.ts'

const style = `
:root { color-scheme: light dark; font: 15px/1.5 system-ui, sans-serif; --good: light-dark(#18794e, #4cc38a); --bad: light-dark(#c62a2f, #ff8589); --soft: light-dark(#60646c, #b0b4ba); --line: light-dark(#d9d9e0, #43484e) }
body { max-width: 68rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem } h2 { font-size: 1.1rem; margin-top: 2rem }
table { width: 100%; border-collapse: collapse }
td, th { text-align: left; vertical-align: top; padding: .35rem .75rem .35rem 0; border-top: 1px solid var(--line) }
th { font-weight: 400; white-space: nowrap; width: 11rem }
code, pre { font: 13px/1.45 ui-monospace, monospace } code { color: var(--soft); overflow-wrap: anywhere }
pre { overflow-x: auto; padding: 1rem; border: 1px solid var(--line); border-radius: 6px }
.proved, .seen { color: var(--good) } .gap { color: var(--bad) } .unmet, .soft { color: var(--soft) }
td p { margin: 0 }`

/** What was found as one page, without anything to load. */
export const htmlExam = ({ name, summary, groups, found }: ExamReport): string =>
  `${html`<!doctype html>
<html lang="en">
<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${name}</title><style>${raw(style)}</style></head>
<body>
<h1>${name}</h1>
<p>${summary}</p>
${found === undefined ? '' : html`<pre>${found}</pre>`}
${groups.map(
  ({ title, cases }) => html`<h2>${title}</h2>
<table>
${cases.map(
  (each) => html`<tr><th class="${each.state}">${examSigns[each.state]} ${each.word}</th>
<td><p>${each.title} <code>${each.name}</code></p>${each.state === 'gap' && each.advice !== each.title ? html`<p class="soft">${each.advice}</p>` : ''}${each.problems.map(
    (problem) => html`<p class="gap">${problem}</p>`,
  )}${each.hint === undefined ? '' : html`<p><code>${each.hint}</code></p>`}</td></tr>
`,
)}</table>
`,
)}</body>
</html>
`}`
