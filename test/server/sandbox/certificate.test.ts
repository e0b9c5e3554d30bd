import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect } from 'node:tls'
import { generate } from 'selfsigned'
import { describe, expect, test } from 'vitest'
import { ensureCertificate } from '../../../src/server/certificate.ts'
import { exchange } from '../../support/network/exchange.ts'
import { openRawSandbox } from '../../support/service/raw.ts'
import { temporaryFolder } from '../../support/service/service.ts'

describe('a certificate of the sandbox', () => {
  test('api authentication-2: the certificate is made once, for the owner alone, and reused', async () => {
    const folder = temporaryFolder()
    const first = await ensureCertificate(folder)
    const modes = readdirSync(folder).map((name) => [name, statSync(join(folder, name)).mode & 0o777])
    expect(Object.fromEntries(modes)).toEqual({ 'tls-cert.pem': 0o600, 'tls-key.pem': 0o600 })
    expect(await ensureCertificate(folder)).toEqual(first)
  })

  test('the certificate is valid now, for the names of loopback, and fits its key', async () => {
    const { cert, key, path } = await ensureCertificate(temporaryFolder())
    expect(readFileSync(path, 'utf8')).toBe(cert)
    const certificate = new X509Certificate(cert)
    expect(certificate.checkHost('localhost')).toBe('localhost')
    expect(certificate.checkIP('127.0.0.1')).toBe('127.0.0.1')
    expect(certificate.checkIP('::1')).toBeTruthy()
    expect(certificate.checkHost('evil.example')).toBeUndefined()
    expect(certificate.checkPrivateKey(createPrivateKey(key))).toBe(true)
    expect(certificate.ca).toBe(false)
    expect(Date.parse(certificate.validFrom)).toBeLessThanOrEqual(Date.now())
    expect(Date.parse(certificate.validTo)).toBeGreaterThan(Date.now() + 86_400_000)
  })

  test('two folders have two keys', async () => {
    const newKey = async () => (await ensureCertificate(temporaryFolder())).key
    expect(await newKey()).not.toBe(await newKey())
  })

  test('an expired certificate is made anew', async () => {
    const folder = temporaryFolder()
    const old = await generate([{ name: 'commonName', value: 'localhost' }], {
      keyType: 'ec',
      notBeforeDate: new Date(Date.now() - 2 * 86_400_000),
      notAfterDate: new Date(Date.now() - 86_400_000),
    })
    writeFileSync(join(folder, 'tls-cert.pem'), old.cert)
    writeFileSync(join(folder, 'tls-key.pem'), old.private)
    const { cert } = await ensureCertificate(folder)
    expect(cert).not.toBe(old.cert)
    expect(Date.parse(new X509Certificate(cert).validTo)).toBeGreaterThan(Date.now())
  })

  test('a certificate without its key is made anew', async () => {
    const folder = temporaryFolder()
    const first = await ensureCertificate(folder)
    rmSync(join(folder, 'tls-key.pem'))
    const again = await ensureCertificate(folder)
    expect(again.cert).not.toBe(first.cert)
    expect(new X509Certificate(again.cert).checkPrivateKey(createPrivateKey(again.key))).toBe(true)
  })
})

describe('TLS', () => {
  test('api authentication-2: a client that trusts the certificate is served', async () => {
    const { connection, certificate } = await openRawSandbox({ https: true })
    expect(connection.url).toMatch(/^https:/)
    const request = { method: 'GET', headers: {}, ca: readFileSync(String(certificate), 'utf8') }
    expect((await exchange(`${connection.url}/_sandbox/health`, request)).status).toBe(200)
  })

  test.each(['TLSv1.2', 'TLSv1.3', 'TLSv1.1'] as const)(
    'api authentication-2: TLS 1.2 or higher is served, and anything lower is refused: %s',
    async (version) => {
      const { port, certificate } = await openRawSandbox({ https: true })
      const versions = { minVersion: version, maxVersion: version }
      const options = { port, host: '127.0.0.1', ca: readFileSync(String(certificate)), ...versions }
      const outcome = await new Promise((resolve) => {
        const socket = connect({ ...options, ciphers: 'DEFAULT@SECLEVEL=0' }, () => {
          resolve(socket.getProtocol())
          socket.destroy()
        })
        socket.on('error', () => resolve('refused'))
      })
      expect(outcome).toBe(version === 'TLSv1.1' ? 'refused' : version)
    },
  )
})
