import { X509Certificate } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
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
export async function certificateOf(folder: string): Promise<Certificate> {
  const [path, keyPath] = [join(folder, 'tls-cert.pem'), join(folder, 'tls-key.pem')]
  if (existsSync(path) && existsSync(keyPath) && isValid(readFileSync(path, 'utf8')))
    return { cert: readFileSync(path, 'utf8'), key: readFileSync(keyPath, 'utf8'), path }
  const { cert, private: key } = await makeCertificate()
  writeFileSync(keyPath, key, { mode: ownerOnly })
  writeFileSync(path, cert, { mode: ownerOnly })
  return { cert, key, path }
}

const isValid = (cert: string): boolean => Date.parse(new X509Certificate(cert).validTo) > Date.now()

async function makeCertificate() {
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
        ],
      },
    ],
  })
}
