import { execFile } from 'node:child_process'
import { mkdirSync, symlinkSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, test } from 'vitest'
import { binary } from '../support/commands/binary.ts'
import { runCommand } from '../support/commands/command.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { goCache, jars, type Program, python, skipsWithout } from '../support/programs.ts'

/** How the tests that `tillbox init --language` writes are run with the packages of Debian. */
interface Suite extends Program {
  readonly prepare?: string
  readonly run: string
  readonly passed: RegExp
}

const junit = jars('junit-jupiter-api', 'junit-platform-commons', 'apiguardian-api', 'opentest4j')
const console = jars('junit-platform-console-standalone')
const suites: Readonly<Record<string, Suite>> = {
  python: {
    isThere: `${python} -m pytest --version`,
    packages: 'python3-pytest',
    run: `${python} -m pytest tillbox`,
    passed: /5 passed/,
  },
  java: {
    isThere: `javac -version && ls ${console}`,
    packages: 'openjdk-17-jdk-headless junit5',
    prepare: `javac -Xlint:all -Werror -cp ${junit} -d out src/test/java/tillbox/*.java`,
    run: `java -jar ${console} -cp out --scan-classpath`,
    passed: /5 tests successful/,
  },
  go: {
    isThere: 'go version',
    packages: 'golang-go',
    prepare: 'go mod init shop && test -z "$(gofmt -l .)"',
    run: 'go test -count=1 -v ./...',
    passed: /(--- PASS[\s\S]*){5}/,
  },
  php: { isThere: 'phpunit --version', packages: 'phpunit', run: 'phpunit tests', passed: /OK \(6 tests/ },
  ruby: {
    isThere: 'rspec --version',
    packages: 'ruby-rspec',
    run: 'rspec',
    passed: /5 examples, 0 failures/,
  },
}

describe.each(Object.entries(suites))('what tillbox init --language %s writes', (language, suite) => {
  test.skipIf(skipsWithout(suite))('its tests pass under tillbox exec and alone', async () => {
    const cwd = scratchFolder()
    await runCommand(['init', '--language', language, '--yes'], { cwd })
    const programs = join(cwd, 'programs')
    mkdirSync(programs)
    symlinkSync(binary, join(programs, 'tillbox'))
    const env = { PATH: [programs, process.env.PATH].join(delimiter), GOCACHE: goCache }
    const bash = promisify(execFile).bind(null, 'bash')
    const run = (command: string) => bash(['-c', command], { cwd, env: { ...env, HOME: cwd } })
    if (suite.prepare) await run(suite.prepare)
    expect((await run(`tillbox exec -- ${suite.run}`)).stdout).toMatch(suite.passed)
    expect((await run(suite.run)).stdout).toMatch(suite.passed)
  })
})
