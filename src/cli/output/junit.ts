/** Checks of an evaluation in the XML of JUnit, which servers of continuous integration read: a test for each metric. */
import { type Check, checkRows, failuresOf } from '../../evaluation/gate.ts'
import { html } from '../../evaluation/report/html.ts'
import { formatTable } from './table-format.ts'

const suite = 'querent evaluate'

export function junit(checks: readonly Check[]): string {
  const failed = checks.filter(({ holds }) => !holds)
  // What is escaped for HTML is for XML, too.
  const { markup } = html`<?xml version="1.0" encoding="UTF-8"?>
<testsuites>
<testsuite name="${suite}" tests="${checks.length}" failures="${failed.length}">
${checks.map(
  (
    check,
  ) => html`<testcase classname="${suite}" name="${check.metric}">${failed.includes(check) && failure(check)}</testcase>
`,
)}</testsuite>
</testsuites>
`
  return markup
}

const failure = (check: Check) =>
  html`<failure message="${failuresOf([check])}">${formatTable('text', [], checkRows([check])).join('\n')}</failure>`
