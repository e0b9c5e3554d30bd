import * as crypto from 'node:crypto'
import { isSameSecret } from '../../contract/signature/is-same-secret.ts'
import { decodedBytes, merchantKeys, readPublicKey, walletKeys, writePublicKey } from './wallet-keys.ts'

/**
 * Google Pay payment data, protocol version ECv2: a message that is encrypted to the merchant (ECIES: P-256,
 * HKDF-SHA-256, AES-256-CTR, HMAC-SHA-256) and signed by an intermediate key, which the wallet's own key signed.
 */
export interface GooglePayload {
  readonly protocolVersion: 'ECv2'
  readonly signature: string
  readonly intermediateSigningKey: { readonly signedKey: string; readonly signatures: readonly string[] }
  readonly signedMessage: string
}

/** What the message says once it is decrypted. Times in milliseconds, as text. */
export interface GoogleMessage {
  readonly messageExpiration: string
  readonly messageId: string
  readonly paymentMethod: 'CARD'
  readonly paymentMethodDetails: {
    readonly pan: string
    readonly expirationMonth: number
    readonly expirationYear: number
    readonly authMethod: 'PAN_ONLY'
  }
}

interface SealedMessage {
  readonly encryptedMessage: string
  readonly ephemeralPublicKey: string
  readonly tag: string
}

const recipient = 'merchant:tillbox'
const version = 'ECv2'

/** Signs and encrypts a message for the test merchant. `keyExpiration`: milliseconds. */
export function sealGoogle(message: GoogleMessage, keyExpiration: number): GooglePayload {
  const intermediate = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const keyValue = writePublicKey(intermediate.publicKey)
  const signedKey = JSON.stringify({ keyValue, keyExpiration: String(keyExpiration) })
  const signedMessage = JSON.stringify(encrypt(JSON.stringify(message)))
  const signatures = [signText(['Google', version, signedKey], walletKeys().privateKey)]
  const signature = signText(['Google', recipient, version, signedMessage], intermediate.privateKey)
  return {
    protocolVersion: version,
    signature,
    intermediateSigningKey: { signedKey, signatures },
    signedMessage,
  }
}

/** True when the test wallet made it: its intermediate key is signed by the test wallet. */
export function isOurGoogle({ intermediateSigningKey: { signedKey, signatures } }: GooglePayload): boolean {
  const { publicKey } = walletKeys()
  return signatures.some((signature) => verifyText(['Google', version, signedKey], publicKey, signature))
}

/** True when the intermediate key signed the message. Errors: an Error when the key cannot be read. */
export function isSignedGoogle(payload: GooglePayload): boolean {
  const { protocolVersion, intermediateSigningKey, signedMessage, signature } = payload
  const { keyValue } = JSON.parse(intermediateSigningKey.signedKey) as { keyValue: string }
  return verifyText(['Google', recipient, protocolVersion, signedMessage], readPublicKey(keyValue), signature)
}

/** Decrypts the message. Errors: an Error when it was changed. */
export function openGoogle({ signedMessage }: GooglePayload): GoogleMessage {
  const { encryptedMessage, ephemeralPublicKey, tag } = JSON.parse(signedMessage) as SealedMessage
  const { encryption, mac } = deriveKeys(
    readPublicKey(ephemeralPublicKey),
    merchantKeys().privateKey,
    ephemeralPublicKey,
  )
  const encrypted = decodedBytes(encryptedMessage)
  const expected = crypto.createHmac('sha256', mac).update(encrypted).digest()
  if (!isSameSecret(decodedBytes(tag), expected)) throw new Error('the tag is wrong')
  return JSON.parse(crypt(encryption, encrypted).toString()) as GoogleMessage
}

function encrypt(text: string): SealedMessage {
  const ephemeral = crypto.generateKeyPairSync('ec', { namedCurve: 'P-256' })
  const ephemeralPublicKey = writePublicKey(ephemeral.publicKey)
  const { encryption, mac } = deriveKeys(merchantKeys().publicKey, ephemeral.privateKey, ephemeralPublicKey)
  const encrypted = crypt(encryption, Buffer.from(text))
  const tag = crypto.createHmac('sha256', mac).update(encrypted).digest('base64')
  return { encryptedMessage: encrypted.toString('base64'), ephemeralPublicKey, tag }
}

function deriveKeys(publicKey: crypto.KeyObject, privateKey: crypto.KeyObject, ephemeral: string) {
  const shared = crypto.diffieHellman({ publicKey, privateKey })
  const secret = Buffer.concat([Buffer.from(ephemeral, 'base64'), shared])
  const key = Buffer.from(crypto.hkdfSync('sha256', secret, Buffer.alloc(32), 'Google', 64))
  return { encryption: key.subarray(0, 32), mac: key.subarray(32) }
}

/** Counter mode: the same step encrypts and decrypts. Each key is used once, so the counter begins at zero. */
function crypt(key: Uint8Array, data: Uint8Array): Buffer {
  const cipher = crypto.createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  return Buffer.concat([cipher.update(data), cipher.final()])
}

/** Each text with its length before it, so that none can be moved into another. */
const joined = (texts: readonly string[]): Buffer =>
  Buffer.concat(
    texts.flatMap((text) => {
      const bytes = Buffer.from(text)
      const length = Buffer.alloc(4)
      length.writeUInt32LE(bytes.length)
      return [length, bytes]
    }),
  )

const signText = (texts: readonly string[], key: crypto.KeyObject): string =>
  crypto.sign('sha256', joined(texts), key).toString('base64')

const verifyText = (texts: readonly string[], key: crypto.KeyObject, signature: string): boolean =>
  crypto.verify('sha256', joined(texts), key, decodedBytes(signature))
