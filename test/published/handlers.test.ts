import { execFile, spawn } from 'node:child_process'
import { createHmac } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, symlinkSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { describe, expect, onTestFinished, test } from 'vitest'
import { runCommand } from '../support/commands/command.ts'
import { scratchFolder } from '../support/commands/scratch.ts'
import { freePort } from '../support/network/ports.ts'
import { goCache, jars, type Program, python, skipsWithout } from '../support/programs.ts'
import { projectRoot } from '../support/project.ts'
import { openTestSandbox } from '../support/service/test-sandbox.ts'

interface Handler extends Program {
  /** Compiles it. */
  readonly prepare?: string
  /** Runs what `tillbox init --framework` wrote, at the port PORT. */
  readonly run: string
}

/** Debian has no Spring Boot: its Spring and its Tomcat serve the controller. */
const springServer = join(projectRoot, 'test/support/spring/SpringServer.java')
const spring = jars(
  ...['aop', 'beans', 'context', 'core', 'expression', 'web', 'web.servlet'].map((name) => `spring3-${name}`),
  ...['annotations', 'core', 'databind'].map((name) => `jackson-${name}`),
  ...['annotations-api', 'api', 'catalina', 'coyote', 'jaspic-api', 'jni', 'juli', 'servlet-api'].map(
    (name) => `tomcat9-${name}`,
  ),
  'tomcat9-util',
  'tomcat9-util-scan',
  'commons-logging',
)

const inNode: Handler = { isThere: 'true', packages: '', run: 'exec node tillbox/webhook.mjs' }
const handlers: Readonly<Record<string, Handler>> = {
  express: inNode,
  fastify: inNode,
  hono: inNode,
  next: inNode,
  node: inNode,
  flask: {
    isThere: `${python} -c "import flask"`,
    packages: 'python3-flask',
    run: `exec ${python} tillbox/flask_webhook.py`,
  },
  fastapi: {
    isThere: `${python} -c "import fastapi, uvicorn"`,
    packages: 'python3-fastapi python3-uvicorn',
    run: `exec ${python} tillbox/fastapi_webhook.py`,
  },
  spring: {
    isThere: `javac -version && ls ${spring.replaceAll(':', ' ')}`,
    packages: 'openjdk-17-jdk-headless libspring-web-servlet-java libtomcat9-java libjackson2-databind-java',
    prepare: `javac -cp ${spring} -d out src/main/java/tillbox/*.java ${springServer}`,
    run: `exec java -cp out:${spring} SpringServer`,
  },
  'net-http': {
    isThere: 'go version',
    packages: 'golang-go',
    prepare: 'go mod init shop && test -z "$(gofmt -l .)" && go build -o shop ./webhook',
    run: 'exec ./shop',
  },
}

/** Runs a handler until the test ends, in a folder where `tillbox init` wrote it. Resolves to its URL and what it prints. */
async function startHandler(framework: string, { prepare = 'true', run }: Handler, secret: string) {
  const cwd = scratchFolder()
  const modules = join(cwd, 'node_modules')
  for (const name of ['express', 'fastify', 'hono', '@hono/node-server']) {
    mkdirSync(dirname(join(modules, name)), { recursive: true })
    symlinkSync(join(projectRoot, 'node_modules', name), join(modules, name))
  }
  await runCommand(['init', '--framework', framework, '--only', 'webhook', '--yes'], { cwd })
  const port = await freePort()
  const { PATH = '' } = process.env
  const env = { PATH, HOME: cwd, GOCACHE: goCache, PORT: String(port), TILLBOX_WEBHOOK_SECRET: secret }
  await promisify(execFile)('bash', ['-c', prepare], { cwd, env })
  const child = spawn('bash', ['-c', run], { cwd, env, stdio: ['ignore', 'pipe', 'pipe'] })
  const output: string[] = []
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text) => output.push(text))
  const ended = once(child, 'close')
  onTestFinished(async () => {
    child.kill()
    await ended
  })
  const url = `http://127.0.0.1:${port}/webhooks`
  const answers = () =>
    fetch(url, { method: 'POST', body: '{}' }).then(
      ({ status }) => status,
      () => (child.exitCode === null ? undefined : output.join('')),
    )
  await expect.poll(answers).toBe(401) // it is not signed
  return { url, printed: () => output.join('') }
}

describe.each(Object.entries(handlers))('the webhook handler for %s', (framework, handler) => {
  test.skipIf(skipsWithout(handler))('it takes a genuine webhook once, and no forged one', async () => {
    const sandbox = await openTestSandbox({ retries: 'none' })
    const secret = sandbox.webhookSecret
    const { url, printed } = await startHandler(framework, handler, secret)
    const sell = async () => {
      const { transactionId } = await sandbox.client.sale({
        amount: 1000,
        priceCurrency: 'USD',
        notifyUrl: url,
      })
      await sandbox.payments.waitFor(transactionId)
      await sandbox.webhooks.delivered()
      const [delivery] = await sandbox.webhooks.list({ transactionId })
      return { transactionId, id: String(delivery?.id), last: delivery?.last }
    }
    const handled = (id: string) => printed().split(id).length - 1

    const paid = await sell()
    expect(paid.last).toBe(200)
    await sandbox.webhooks.resend(paid.id)
    await sandbox.webhooks.delivered()
    expect((await sandbox.webhooks.get(paid.id)).deliveries[0]?.tries).toHaveLength(2)
    await expect.poll(() => handled(paid.transactionId)).toBe(1)

    await sandbox.faults.add('bad-signature')
    const forged = await sell()
    expect(forged.last).toBe(401)

    const rotate = `${sandbox.url}/_sandbox/webhook-secret/rotate`
    await fetch(rotate, { method: 'POST', headers: { 'Content-Type': 'application/json' }, body: '{}' })
    expect((await sell()).last).toBe(200)

    const signature = createHmac('sha256', secret).update('null').digest('hex')
    const headers = { 'X-Signature': signature, 'X-Client-Request-Id': 'one' }
    expect((await fetch(url, { method: 'POST', headers, body: 'null' })).status).toBe(400)
    expect(handled(forged.transactionId)).toBe(0)
  })
})
