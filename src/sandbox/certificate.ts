import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { isIP } from 'node:net'
import { join } from 'node:path'
import { ownerOnly } from './store/files.ts'

/** A certificate for loopback with its key, PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
  /** File of the certificate, for clients that must trust it. */
  readonly path: string
}

/** Days that a certificate is made for. */
const lifetime = 825

/** The state folder's certificate; made on first use, and anew when it has expired. spec: Authentication 2 */
export async function certificateOf(folder: string, host = '127.0.0.1'): Promise<Certificate> {
  const [path, keyPath] = [join(folder, 'tls-cert.pem'), join(folder, 'tls-key.pem')]
  if (existsSync(path) && existsSync(keyPath) && isValid(readFileSync(path, 'utf8'), host))
    return { cert: readFileSync(path, 'utf8'), key: readFileSync(keyPath, 'utf8'), path }
  const { cert, private: key } = await makeCertificate(host)
  writeFileSync(keyPath, key, { mode: ownerOnly })
  writeFileSync(path, cert, { mode: ownerOnly })
  return { cert, key, path }
}

/** True for a certificate that is in time and for that host; one that cannot be read is made anew. */
function isValid(text: string, host: string): boolean {
  try {
    const certificate = new X509Certificate(text)
    const fits = isIP(host) ? certificate.checkIP(host) : certificate.checkHost(host)
    return Date.parse(certificate.validTo) > Date.now() && (fits !== undefined || isEveryInterface(host))
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
    notAfterDate: new Date(Date.now() + lifetime * 86_400_000),
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
