import { randomUUID } from 'node:crypto'
import { accessSync, constants, statSync } from 'node:fs'
import { resolve } from 'node:path'
import { call, control, ServiceRefusal } from '../../client/client.ts'
import { usualPort, usualUrl } from '../../client/discover.ts'
import { type HttpAnswer, send, Unreachable } from '../../client/http.ts'
import { hiddenKey } from '../../contract/control/request-log-answers.ts'
import { isOnLoopback, type StateVerdict } from '../../contract/control/state-folder.ts'
import { limits } from '../../contract/headers.ts'
import type { MerchantAnswer } from '../../contract/operations/look-ups.ts'
import { type Signing, webhookHeaders } from '../../contract/signature/signature.ts'
import { webhookTolerance } from '../../contract/signature/verify-webhook.ts'
import { command } from '../../shared/text/commands.ts'
import { durationInWords } from '../../shared/text/duration-words.ts'
import type { CheckResult, Diagnosis } from '../answer-shapes.ts'
import { declaredLive } from '../connection/live.ts'
import { type ConnectionFlags, type Profile, resolveProfile } from '../connection/profile.ts'
import { isTillboxSandbox } from '../connection/sandbox-address.ts'
import { namedTarget } from '../connection/target.ts'
import { failureOf } from '../errors/failure.ts'
import { hint } from '../hints/same-sandbox.ts'
import { shownUrl } from '../sandbox/shown-start.ts'
import { stateFlag, stateNamed } from '../sandbox/state-folder.ts'

type Finding = Omit<CheckResult, 'check'>
type Sandbox = Profile['target'] | undefined
type VerifyState = (folder: string) => Promise<StateVerdict>

const ok = (text: string): Finding => ({ status: 'ok', text })
const warning = (text: string, fix?: string): Finding => ({ status: 'warning', text, fix })
const failed = (text: string, fix?: string): Finding => ({ status: 'failed', text, fix })
const skipped = (text: string, fix?: string): Finding => ({ status: 'skipped', text, fix })

/** Examines the machine, the service, the webhook receiver. */
export async function diagnose(
  flags: ConnectionFlags,
  version: string,
  webhookUrl: string | undefined,
  verifyState: VerifyState,
): Promise<Diagnosis> {
  const { baseUrl, state } = namedTarget(flags)
  const checks: CheckResult[] = []
  const check = async (name: string, run: () => Finding | Promise<Finding>) => {
    const { fix, ...finding } = await findingOf(run)
    checks.push({ check: name, ...finding, ...(fix && { fix: hint(fix) }) })
  }

  await check('node', () => examineNode(process.versions.node))
  if (baseUrl === undefined || state !== undefined)
    await check('state folder', () => examineFolder(resolve(state ?? stateNamed(flags.state)), verifyState))

  let service: Profile | undefined
  await check('service', async () => {
    const found = await resolveProfile(flags, version, 'nobody') // the finding says which sandbox it is
    const isSandbox = found.isSandbox || (await isTillboxSandbox(found.target))
    const finding = await examineService({ ...found, isSandbox }, version)
    service = { ...found, isSandbox }
    return finding
  })
  if (baseUrl === undefined && service === undefined) await check('port', examinePort)
  const unknown = skipped('not checked: the check of the service failed')
  await check('clock', () => (service ? examineClock(service) : unknown))
  await check('key', () => (service ? examineKey(service) : unknown))

  const sandbox = service?.isSandbox ? service.target : undefined
  await check('webhook', () => examineWebhook(sandbox, webhookUrl))
  return { ok: checks.every(({ status }) => status !== 'failed'), checks }
}

/** The finding, or an error that a command would report as one. */
async function findingOf(run: () => Finding | Promise<Finding>): Promise<Finding> {
  try {
    return await run()
  } catch (error) {
    const failure = failureOf(error)
    if (failure === undefined) throw error
    return failed(failure.message, failure.remedy)
  }
}

/** The versions of `engines` in package.json. */
export function examineNode(version: string): Finding {
  const [major = 0, minor = 0] = version.split('.').map(Number)
  if (major >= 24 || (major === 22 && minor >= 13) || (major === 20 && minor >= 19))
    return ok(`Node.js ${version}`)
  return failed(`Node.js ${version} is not supported`, 'Install Node.js 20.19, 22.13 or 24')
}

async function examineFolder(folder: string, verifyState: VerifyState): Promise<Finding> {
  const found = statSync(folder, { throwIfNoEntry: false })
  if (found === undefined) return ok(`${folder} does not exist yet; a sandbox makes it`)
  if (!found.isDirectory()) return failed(`${folder} is a file`, 'Move it away, or name another with --state')
  accessSync(folder, constants.W_OK)
  const { sound, database, problems, warnings, transactions } = await verifyState(folder)
  if (database !== null) return skipped(`not checked: ${folder} is of a node, and its data is in ${database}`)
  const verify = command(`sandbox verify${stateFlag(folder)}`)
  if (!sound) return failed(`${folder} is damaged: ${problems[0]}`, verify)
  if (warnings.length > 0) return warning(`${folder} is sound. ${warnings[0]}`, verify)
  return ok(`${folder} is sound; transactions: ${transactions}`)
}

async function examinePort(): Promise<Finding> {
  const answer = await send({ url: new URL(usualUrl()), headers: {}, timeout: 2_000 }).catch((error) => error)
  if (answer instanceof Unreachable && answer.refused) return ok(`${usualPort()} is free`)
  return ok(`${usualPort()} is held by another program: a start takes the next free port`)
}

async function examineService({ target, isSandbox }: Profile, own: string): Promise<Finding> {
  const { baseUrl, elsewhere } = target
  const money = declaredLive(baseUrl)?.isLive ? '; money is real there' : ''
  if (!isSandbox) return ok(`Another service answers at ${baseUrl}${money}`)
  const { version, pid } = await control(target, 'health')
  const text = `A tillbox sandbox (${version}, process ${pid}) answers at ${baseUrl}`
  if (version !== own) return warning(`${text}; this is tillbox ${own}`, '`tillbox sandbox restart`')
  if (elsewhere === undefined) return ok(text)
  const fix = `Name it with --state, or start one here: ${command('sandbox start')}`
  return warning(`${text}. It is of another folder: ${elsewhere}`, fix)
}

/** By the Date header. A warning from half of the offset beyond which receivers of webhooks refuse them. */
async function examineClock({ target }: Profile): Promise<Finding> {
  const sent = Date.now()
  const { headers } = await send({ url: new URL(target.baseUrl), headers: {}, ca: target.ca })
  const its = Date.parse(headers.date ?? '')
  if (Number.isNaN(its)) return warning('The service does not tell its time: its answer has no Date header')
  const skew = Math.round(((sent + Date.now()) / 2 - its - 500) / 1000) // Date is in whole seconds
  const off = Math.abs(skew) * 1000
  const text = `The clock of this machine is ${durationInWords(off)} ${skew < 0 ? 'behind' : 'ahead of'} the service’s`
  const fix = process.platform === 'darwin' ? 'sudo sntp -sS time.apple.com' : 'sudo timedatectl set-ntp true'
  if (off > limits.timestampDeviation) return failed(`${text}: requests are refused`, fix)
  if (off > webhookTolerance / 2) return warning(text, fix)
  return ok(off <= 1000 ? 'The clock of this machine agrees with the service’s' : text)
}

async function examineKey({ target, parties }: Profile): Promise<Finding> {
  try {
    const { merchantId = parties.merchantId } = await call<MerchantAnswer>(target, 'merchant-query', parties)
    return ok(`${hiddenKey(target.apiKey)} is accepted, for merchant ${merchantId}`)
  } catch (error) {
    if (!(error instanceof ServiceRefusal) || error.envelope.code !== 'SBX_INJECTED') throw error
    return skipped('not checked: an injected fault answered', '`tillbox sandbox fault --clear`')
  }
}

/** The receiver must refuse a wrong signature. docs/setup.md#when-something-does-not-work-tillbox-doctor */
async function examineWebhook(sandbox: Sandbox, typed: string | undefined): Promise<Finding> {
  const url = typed ?? (sandbox && (await control(sandbox, 'connection')).notifyUrl)
  if (!url) return skipped('not checked: no URL is known', '`tillbox doctor --webhook-url <url>`')
  const shown = shownUrl(url)
  if (!isOnLoopback(url))
    return skipped(`not checked: ${shown} is not on this machine`, '`tillbox webhook send <transaction-id>`')
  const signing = await signingOf(sandbox)
  if (signing === undefined)
    return skipped('not checked: without a sandbox the secret is not known', '`tillbox sandbox start`')
  try {
    const forged = await post(url, { ...signing, secrets: [`whsec_${randomUUID()}`] })
    const { status } = await post(url, signing)
    const secret = '`tillbox webhook secret` (your server must use this one, and the raw body)'
    if (status !== 200) return failed(`${shown} answers HTTP ${status} to a genuine webhook, not 200`, secret)
    if (signing.scheme === 'none') return warning(`${shown} answers 200; this sandbox signs nothing`)
    if (forged.status !== 200)
      return ok(`${shown} answers 200, and refuses a wrong signature with ${forged.status}`)
    return failed(`${shown} accepts a webhook with a wrong signature`, '`tillbox init --only webhook`')
  } catch (error) {
    if (!(error instanceof Unreachable)) throw error
    const receive = command('webhook receive --port', new URL(url).port || '80')
    return failed(`${shown} cannot be reached: ${error.reason}`, `${receive} (or start your server)`)
  }
}

/** As the sandbox signs; without one, with the secret of the environment. */
async function signingOf(sandbox: Sandbox): Promise<Signing | undefined> {
  const own = process.env.TILLBOX_WEBHOOK_SECRET
  if (!sandbox) return own ? { scheme: 'hmac', encoding: 'hex', secrets: [own] } : undefined
  const { secret, previous, signature, signatureEncoding } = await control(sandbox, 'webhook-secret')
  const secrets = [secret, ...(previous ? [previous.secret] : [])]
  return { scheme: signature, encoding: signatureEncoding, secrets }
}

/** Posts a notification that is not final, so that the receiver books nothing for it. */
function post(url: string, signing: Signing): Promise<HttpAnswer> {
  const ids = { transactionId: '0', transactionRequestId: 'tillbox-doctor', referenceOrderId: null }
  const body = JSON.stringify({ test: true, ...ids, transactionStatus: 'P', transactionResultCode: null })
  const headers = webhookHeaders(signing, { id: randomUUID(), at: Date.now(), body })
  return send({ method: 'POST', url: new URL(url), headers, body, timeout: 10_000 }) // as for any delivery
}
