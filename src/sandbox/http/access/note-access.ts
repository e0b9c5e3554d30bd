import type { MiddlewareHandler } from 'hono'
import { type ControlName, controlsAt } from '../../../contract/control/controls/controls.ts'
import { mcpPath } from '../../../contract/control/mcp.ts'
import { hiddenMark } from '../../../contract/control/request-log-answers.ts'
import { type AuditEntry, madeTokens, noTokenNames } from '../../../contract/control/tokens.ts'
import type { Access } from '../../access/access.ts'
import { refusedAccess } from '../../access/audit-log.ts'
import { isControlPath, isReading } from '../../access/grants.ts'
import { type Call, callerAddress, type Env } from '../call.ts'
import { ofService, ofShoppers } from './guard-access.ts'

/**
 * Control operations that are not audited: listeners and waits call them for every notification, and no
 * person acts through them.
 */
const uneventful: ReadonlySet<ControlName | 'page'> = new Set([
  'listen',
  'report-attempt',
  'wait-for-webhooks',
])

/** Codes of requests for a path or method that does not exist. */
const nowhere: ReadonlySet<string> = new Set(['SBX_NO_PATH', 'SBX_METHOD'])

/** Longest path in the audit log. */
const longestPath = 200

/**
 * Writes to the audit log who changed something through the control interface or a page, and who was refused
 * for a token. Bodies, queries and secrets are left out. `space`: the space of the requests. assumption:
 * audit-log
 */
export function noteAccess(access: Access, space: string, wall: () => number): MiddlewareHandler<Env> {
  return async (call, next) => {
    await next()
    const { method, path } = call.req
    if (ofService.test(path)) return
    const code = answerCode(call)
    const action = auditedAction(method, path)
    const isEventful = !isReading(method) && action !== null && !uneventful.has(action) && !nowhere.has(code)
    if (!isEventful && !refusedAccess.has(code)) return
    access.audit.add({ at: new Date(wall()).toISOString(), ...makeAuditEntry(call, code, action), space })
  }
}

/** Who made the request, and its result. */
function makeAuditEntry(call: Call, code: string, action: string | null): Omit<AuditEntry, 'at' | 'space'> {
  const { method } = call.req
  const path = [call.req.path, call.get('made') ?? []].flat().join('/')
  const shown = path.replace(madeTokens, hiddenMark).slice(0, longestPath)
  return {
    token: auditedToken(call, code),
    scope: call.get('grant')?.scope ?? null,
    address: callerAddress(call),
    method: method.slice(0, 16),
    path: code === 'SBX_CARD_DATA' ? hiddenMark : shown,
    action,
    code,
    status: call.res.status,
    ...(call.env?.agent !== undefined && { client: call.env.agent }),
  }
}

/** Name of the control operation, or `page`; null for MCP, shoppers' pages and unknown control paths. */
function auditedAction(method: string, path: string): ControlName | 'page' | null {
  if (isControlPath(path)) {
    const routeMethod = method === 'HEAD' ? 'GET' : method
    return controlsAt(path).find((row) => row.method === routeMethod)?.name ?? null
  }
  return path === mcpPath || ofShoppers.test(path) ? null : 'page'
}

/** Code of an answer; `HTTP <status>` for a form that is shown again with its errors. */
function answerCode(call: Call): string {
  const code = call.get('answered') ?? '0'
  return code === '0' && call.res.status >= 400 ? `HTTP ${call.res.status}` : code
}

function auditedToken(call: Call, code: string): string {
  const grant = call.get('grant')
  if (grant !== undefined) return grant.name
  if (call.get('hasUnknownToken')) return noTokenNames.unknown
  return code === 'SBX_TOKEN' ? noTokenNames.missing : noTokenNames.notNeeded
}
