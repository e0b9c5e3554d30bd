import { expect, test } from 'vitest'
import { projectFiles, readProjectFile } from '../support/project.ts'

const testFiles = projectFiles('test', /\.test\.ts$/)

/** The anchors that titles begin with: `api ids-4, refund-2: …`. */
const cited = testFiles.flatMap((name) =>
  [...readProjectFile(`test/${name}`).matchAll(/['"`]api ([a-z\d-]+(?:, [a-z\d-]+)*)(?:: |['"`])/g)].flatMap(
    ([, anchors = '']) => anchors.split(', '),
  ),
)
const anchors = [...readProjectFile('docs/api.md').matchAll(/<a id="([^"]+)"/g)].map(([, id = '']) => id)

test('the rules that titles of tests begin with are in the API reference', () => {
  expect(cited.length).toBeGreaterThan(100)
  expect(cited.filter((anchor) => !anchors.includes(anchor))).toEqual([])
})

test('no title begins with a heading of the specification', () => {
  const headings =
    /['"`](?:spec [A-Z]|(?:Overview|Rules|States|Limits|Endpoints|Events|Authentication)(?: [\d.]+)?: )/
  expect(testFiles.filter((name) => headings.test(readProjectFile(`test/${name}`)))).toEqual([])
})

test('each numbered rule and operation of the API reference has a test', () => {
  const numbered = anchors.filter((id) => /^(authentication|operation|ids|statuses|refund)(-\d+)+$/.test(id))
  expect(numbered.length).toBeGreaterThan(30)
  expect(numbered.filter((id) => !cited.includes(id))).toEqual([])
})
