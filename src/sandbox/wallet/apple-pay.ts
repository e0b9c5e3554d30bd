import * as crypto from 'node:crypto'
import { decodedBytes, merchantKeys, readPublicKey, walletKeys, writePublicKey } from './wallet-keys.ts'

/**
 * An Apple Pay payment token, version EC_v1: data that is encrypted to the merchant (P-256, SHA-256, AES-256-GCM) and
 * signed. The test wallet signs with its plain key where Apple has a CMS message with its certificates.
 */
export interface ApplePayload {
  readonly version: 'EC_v1'
  readonly data: string
  readonly signature: string
  readonly header: {
    readonly ephemeralPublicKey: string
    readonly publicKeyHash: string
    readonly transactionId: string
  }
}

/** What the data says once it is decrypted. The expiration date is `YYMMDD`. */
export interface AppleData {
  readonly applicationPrimaryAccountNumber: string
  readonly applicationExpirationDate: string
  readonly currencyCode: string
  readonly transactionAmount: number
  readonly deviceManufacturerIdentifier: string
  readonly paymentDataType: '3DSecure'
  readonly paymentData: { readonly onlinePaymentCryptogram: string; readonly eciIndicator: string }
}

const merchantIdentifier = 'merchant.tillbox'
const tagLength = 16
const version = 'EC_v1' as const

/** Signs and encrypts data for the test merchant. */
export function sealApple(data: AppleData): ApplePayload {
  const ephemeral = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const key = keyFrom(merchantKeys().publicKey, ephemeral.privateKey)
  const cipher = crypto.createCipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: tagLength })
  const encrypted = Buffer.concat([cipher.update(JSON.stringify(data)), cipher.final(), cipher.getAuthTag()])
  const header = {
    ephemeralPublicKey: writePublicKey(ephemeral.publicKey),
    publicKeyHash: merchantKeyHash(),
    transactionId: crypto.randomBytes(32).toString('hex'),
  }
  const unsigned = { version, data: encrypted.toString('base64'), header }
  const signature = crypto.sign('sha256', signedPart(unsigned), walletKeys().privateKey).toString('base64')
  return { ...unsigned, signature }
}

/** True when it is for the test merchant, so that the test wallet must have made it. */
export const isOurApple = ({ header }: ApplePayload): boolean => header.publicKeyHash === merchantKeyHash()

/** True when the test wallet signed it. Errors: an Error when a member cannot be read. */
export const isSignedApple = (payload: ApplePayload): boolean =>
  payload.version === version &&
  crypto.verify('sha256', signedPart(payload), walletKeys().publicKey, decodedBytes(payload.signature))

/** Decrypts the data. Errors: an Error when it was changed. */
export function openApple({ data, header }: ApplePayload): AppleData {
  const key = keyFrom(readPublicKey(header.ephemeralPublicKey), merchantKeys().privateKey)
  const bytes = decodedBytes(data)
  const decipher = crypto.createDecipheriv('aes-256-gcm', key, Buffer.alloc(16), { authTagLength: tagLength })
  decipher.setAuthTag(bytes.subarray(-tagLength))
  const plain = Buffer.concat([decipher.update(bytes.subarray(0, -tagLength)), decipher.final()])
  return JSON.parse(plain.toString()) as AppleData
}

/** NIST SP 800-56A single-step derivation, with Apple's parties. */
function keyFrom(publicKey: crypto.KeyObject, privateKey: crypto.KeyObject): Buffer {
  return crypto
    .createHash('sha256')
    .update(Buffer.from([0, 0, 0, 1]))
    .update(crypto.diffieHellman({ publicKey, privateKey }))
    .update('\u000did-aes256-GCMApple')
    .update(crypto.createHash('sha256').update(merchantIdentifier).digest())
    .digest()
}

const merchantKeyHash = (): string =>
  crypto.createHash('sha256').update(writePublicKey(merchantKeys().publicKey), 'base64').digest('base64')

const signedPart = ({ header, data }: Omit<ApplePayload, 'signature'>): Buffer =>
  Buffer.concat([
    decodedBytes(header.ephemeralPublicKey),
    decodedBytes(data),
    decodedBytes(header.transactionId, 'hex'),
  ])
