import { X509Certificate } from 'node:crypto'
import { existsSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { readState, replaceFile } from '../shared/files/files.ts'
import { wallTime } from '../shared/timers.ts'

/** Validity of a new certificate in days. */
const lifetime = 825

/**
 * The state folder's certificate for loopback with its key, PEM; made on first use, and again when it has
 * expired. `path`: its file, for clients that must trust it. docs/api.md#authentication-2
 */
export async function ensureCertificate(folder: string, host = '127.0.0.1') {
  const [path, keyPath] = [join(folder, 'tls-cert.pem'), join(folder, 'tls-key.pem')]
  if (existsSync(path) && existsSync(keyPath) && isValid(readState(path), host))
    return { cert: readState(path), key: readState(keyPath), path }
  const { cert, private: key } = await makeCertificate(host)
  replaceFile(keyPath, [key])
  replaceFile(path, [cert])
  return { cert, key, path }
}

/** True for a valid certificate of that host; an unreadable one is made anew. */
function isValid(text: string, host: string): boolean {
  try {
    const certificate = new X509Certificate(text)
    const fits = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)
    return Date.parse(certificate.validTo) > wallTime() && (fits !== undefined || isEveryInterface(host))
  } catch {
    return false
  }
}

const isEveryInterface = (host: string): boolean => host === '0.0.0.0' || host === '::'

async function makeCertificate(host: string) {
  const { default: selfsigned } = await import('selfsigned')
  return selfsigned.generate([{ name: 'commonName', value: 'localhost' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    notAfterDate: new Date(wallTime() + lifetime * 86_400_000),
    extensions: [
      { name: 'basicConstraints', cA: false, critical: true },
      { name: 'keyUsage', digitalSignature: true, critical: true },
      { name: 'extKeyUsage', serverAuth: true },
      {
        name: 'subjectAltName',
        altNames: [
          { type: 2, value: 'localhost' },
          { type: 7, ip: '127.0.0.1' },
          { type: 7, ip: '::1' },
          ...(isIP(host) ? [{ type: 7 as const, ip: host }] : [{ type: 2 as const, value: host }]),
        ],
      },
    ],
  })
}
