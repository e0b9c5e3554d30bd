import type { ApplicationProfile } from '../../domain/fixtures.ts'
import type { SecretPair, Settings } from '../../domain/settings.ts'
import { newSecret } from '../engine/directory.ts'

/** The secrets of an application: those set at run time, otherwise the fixture's. */
export const webhookSecrets = (
  settings: Pick<Settings, 'secrets'>,
  application: ApplicationProfile,
): SecretPair => settings.secrets[application.appId] ?? { current: application.webhookSecret }

/** Makes a new secret; the previous one stays valid for `graceMs`. */
export function rotateSecret(
  settings: Settings,
  application: ApplicationProfile,
  graceMs: number,
  now: number,
): void {
  const { current: secret } = webhookSecrets(settings, application)
  settings.secrets[application.appId] = {
    current: newSecret(),
    previous: { secret, validUntil: new Date(now + graceMs).toISOString() },
  }
}

/** Secrets that receivers may still verify with, the newest first. */
export function validSecrets({ current, previous }: SecretPair, now: number): readonly string[] {
  const stillValid = previous !== undefined && Date.parse(previous.validUntil) > now
  return stillValid ? [current, previous.secret] : [current]
}
