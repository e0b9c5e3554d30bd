import { string } from '@oclif/core/args'
import { controlCommand } from '../../sandbox-command.ts'

export default class LogsShow extends controlCommand('request', async (story) =>
  (await import('../../output/render-requests.ts')).renderRequestStory(story),
) {
  static override description =
    'Keys, cookies and tokens are hidden; curl takes the key from TILLBOX_API_KEY. The sandbox keeps the last 1,000 ' +
    'requests, until it stops.'
  static override examples = [
    'tillbox logs show 5b0c6f0e-8f0f-4a38-b0f5-6f0b7f7f7c11',
    'tillbox logs show 5b0c6f0e-8f0f-4a38-b0f5-6f0b7f7f7c11 --json',
  ]
  static override args = {
    'trace-id': string({ description: 'Trace id of the answer.', required: true }),
  }
}
