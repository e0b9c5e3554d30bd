import { inject } from 'vitest'

/**
 * In every test file: no test sees the sandbox, the settings or the variables of whoever runs the tests. The working
 * folder and the home folder are empty.
 */

process.chdir(inject('emptyFolder'))
process.env.HOME = inject('emptyFolder')
delete process.env.XDG_CONFIG_HOME
const ofTests =
  /^TILLBOX_(TEST_.+|LONG|REQUIRE_BROWSER|SEED|STORES|ROUNDS|DAMAGES|LANES|KEEP|ERRORS|LOSSES|OPERATIONS|REQUESTS|RUNS)$/
for (const name of Object.keys(process.env)) {
  if (name.startsWith('TILLBOX_') && !ofTests.test(name)) delete process.env[name]
}
