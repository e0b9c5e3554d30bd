import * as v from 'valibot'
import {
  listOf,
  milliseconds,
  name,
  notReserved,
  oneOf,
  optional,
  ruledText,
  text,
} from '../../member-kinds.ts'
import { addressRange } from '../addresses.ts'
import * as applications from '../application-answers.ts'
import { type Control, get, post, put, remove } from '../control.ts'
import { spaceAccess, spaceList, spaceName, spaceNameRule } from '../spaces.ts'
import {
  auditKinds,
  auditList,
  createdToken,
  scopes,
  tokenList,
  tokenName,
  tokenNameRule,
} from '../tokens.ts'
import { limitMember } from '../transaction-list.ts'
import { webhookSecret } from '../webhook-signing.ts'
import { serialNumber } from './terminal-controls.ts'

const day = 86_400_000

const space = (help: string) => ruledText(help, v.regex(spaceName, `must be ${spaceNameRule}`))

/** Operations on the server's tokens, and the audit log. Paths with `:name` name a token. */
export const tokenControls = {
  tokens: get('/tokens', {
    summary: 'List the tokens of the sandbox',
    command: 'token list',
    answer: tokenList,
  }),
  'create-token': post('/tokens', {
    summary: 'Create a token for a person or a job; it is shown once',
    command: 'token create',
    answer: createdToken,
    input: {
      name: ruledText('Name of the token', v.regex(tokenName, `must be ${tokenNameRule}`)),
      scope: oneOf('What it may do', scopes),
      space: optional(space('Space that it is for; a viewer without one sees every space')),
      ttlMs: optional(milliseconds('How long it is valid; left out, until it is revoked', 1000, 3660 * day)),
    },
  }),
  'revoke-token': remove('/tokens/:name', {
    summary: 'Revoke a token for good; its event streams end',
    answer: tokenList,
  }),
  audit: get('/audit', {
    summary: 'Show who changed what, and who was refused',
    command: 'audit',
    answer: auditList,
    input: {
      limit: limitMember,
      space: optional(space('Only what concerned this space')),
      only: optional(oneOf('Only lines of this kind', auditKinds)),
    },
  }),
} as const satisfies Record<string, Control>

/** Longest overlap of two keys or secrets, and longest life of a space, in milliseconds. */
const longest = 366 * day

/** The application whose keys, addresses or secret are meant; default: that of the API key, or the first. */
const ofApplication = {
  appId: optional(name('Application; left out, that of the merchant, of the API key, or the first one')),
  merchantId: optional(name('The application of this merchant')),
}

/** Id of a new merchant, in the form that requests can name. */
const newMerchantId = ruledText(
  'Id of the merchant',
  v.regex(/^[\x21-\x7e]{1,32}$/, 'must be 1 to 32 printable characters without spaces'),
  notReserved,
)

/** Operations on an application's keys, IP allow-list, webhook secret and merchants. */
export const applicationControls = {
  keys: get('/keys', {
    summary: 'List the API keys of the sandbox',
    command: 'sandbox key list',
    answer: applications.keyList,
    input: {
      appId: optional(name('Only those of this application')),
      merchantId: optional(name('Only those of the application of this merchant')),
    },
  }),
  'regenerate-key': post('/keys/regenerate', {
    summary: 'Make a new API key; the old one stays valid for a while',
    command: 'sandbox key rotate',
    answer: applications.newKey,
    input: {
      ...ofApplication,
      graceMs: optional(milliseconds('How long the old key stays valid', 0, longest)),
    },
  }),
  'allow-list': get('/allow-list', {
    summary: 'Show the IP allow-list',
    command: 'sandbox key allow-ip',
    answer: applications.allowList,
    input: ofApplication,
  }),
  'set-allow-list': put('/allow-list', {
    summary: 'Replace the IP allow-list; an empty one lets every address in',
    answer: applications.allowList,
    input: { ...ofApplication, addresses: listOf(addressRange, 100) },
  }),
  'webhook-secret': get('/webhook-secret', {
    summary: 'Show the secret that webhooks are signed with',
    answer: webhookSecret,
    input: ofApplication,
  }),
  'rotate-webhook-secret': post('/webhook-secret/rotate', {
    summary: 'Make a new webhook secret; the old one stays valid for a while',
    answer: webhookSecret,
    input: {
      ...ofApplication,
      graceMs: optional(milliseconds('How long the old secret stays valid', 0, longest)),
    },
  }),
  merchants: get('/merchants', {
    summary: 'List the merchants of the sandbox',
    command: 'merchant list',
    answer: applications.merchantList,
  }),
  'add-merchant': post('/merchants', {
    summary: 'Add a merchant with a key, a secret and terminals',
    command: 'merchant add',
    answer: applications.addedMerchant,
    input: {
      merchantId: newMerchantId,
      name: optional(text('Name that customers know; left out, its id', 64)),
      appId: optional(name('Application that it joins; left out, a new one')),
      terminals: optional(listOf(serialNumber, 100, 'Serial numbers of its terminals')),
    },
  }),
} as const satisfies Record<string, Control>

/** The spaces of a server. */
export const spaceControls = {
  spaces: get('/spaces', {
    summary: 'List the spaces of the running server',
    command: 'space list',
    answer: spaceList,
  }),
  'create-space': post('/spaces', {
    summary: 'Create a space: a separate sandbox in the running server',
    command: 'space create',
    answer: spaceAccess,
    input: {
      name: optional(space('Name of the space; without one, the server chooses it')),
      ttlMs: optional(milliseconds('Removed by itself after this many milliseconds', 1_000, longest)),
    },
  }),
  space: get('/spaces/:space', {
    summary: 'Show the URL of a space and its API key',
    command: 'space show',
    answer: spaceAccess,
  }),
  'remove-space': remove('/spaces/:space', {
    summary: 'Remove a space and all its data',
    answer: spaceList,
  }),
} as const satisfies Record<string, Control>
