import { createPrivateKey, createPublicKey, type KeyObject } from 'node:crypto'
import keys from '../../../fixtures/wallet-keys.json' with { type: 'json' }
import { once } from '../../shared/once.ts'

/** The base64 of a DER form, as the wallets write public keys. */
export const writePublicKey = (key: KeyObject): string =>
  key.export({ type: 'spki', format: 'der' }).toString('base64')

/**
 * The bytes of an encoded text. Errors: an Error for another spelling of the same bytes, such as with spare bits or
 * letters, so that a changed text does not pass for the signed one.
 */
export function decodedBytes(text: string, encoding: 'base64' | 'hex' = 'base64'): Buffer {
  const bytes = Buffer.from(text, encoding)
  if (bytes.toString(encoding) !== text) throw new Error(`it is not ${encoding}`)
  return bytes
}

/** The key of its written form. Errors: an Error for anything else. */
export const readPublicKey = (text: string): KeyObject =>
  createPublicKey({ key: decodedBytes(text), type: 'spki', format: 'der' })

/** Reads a P-256 key pair, when it is first asked for. */
const keyPair = ({ publicKey, privateKey }: { publicKey: string; privateKey: string }) =>
  once(() => ({
    publicKey: readPublicKey(publicKey),
    privateKey: createPrivateKey({ key: Buffer.from(privateKey, 'base64'), type: 'pkcs8', format: 'der' }),
  }))

/** What the test wallet signs with. No real wallet knows it. */
export const walletKeys = keyPair(keys.wallet)

/** What payloads for the test merchant are encrypted to. */
export const merchantKeys = keyPair(keys.merchant)
