import type { ServiceAnswer } from '../../contract/operations.ts'
import { parseStatus } from '../../contract/statuses.ts'
import type { Profile } from '../connection/profile.ts'
import { exitCodes } from '../errors/exit-codes.ts'
import { operationCommand } from '../operation/operation-command.ts'

export default class Abort extends operationCommand('abort') {
  static override examples = ['tillbox abort 1795159696581000', 'tillbox abort @last --json']

  override async report(profile: Profile, data: object): Promise<void> {
    await super.report(profile, data)
    if (parseStatus((data as ServiceAnswer<'abort'>).transactionStatus) === 'CLOSED') return
    process.stderr.write('Too late to abort: the host was already asked, and its answer stands.\n')
    process.exitCode = exitCodes.notFinal
  }
}
