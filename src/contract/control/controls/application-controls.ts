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
  tokens: get('/tokens', 'List the tokens by name, with scopes and times', tokenList),
  'create-token': post('/tokens', 'Make a token; it is shown only once', createdToken, {
    name: ruledText('Name of the token', v.regex(tokenName, `must be ${tokenNameRule}`)),
    scope: oneOf('What it may do', scopes),
    space: optional(space('Space that it is for; a viewer without one sees every space')),
    ttlMs: optional(milliseconds('How long it is valid; left out, until it is revoked', 1000, 3660 * day)),
  }),
  'revoke-token': remove('/tokens/:name', 'Revoke a token immediately; its event streams end', tokenList),
  audit: get('/audit', 'List what was changed and by whom, and who was refused, the newest last', auditList, {
    limit: limitMember,
    space: optional(space('Only what concerned this space')),
    only: optional(oneOf('Only lines of this kind', auditKinds)),
  }),
} as const satisfies Record<string, Control>

/** Longest overlap of two keys or secrets, and longest life of a space, in milliseconds. */
const longest = 366 * day

/** The application whose keys, addresses or secret are meant; default: that of the API key, else the first one. */
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
  keys: get('/keys', 'List API keys, their middle hidden, with their times', applications.keyList, {
    appId: optional(name('Only those of this application')),
    merchantId: optional(name('Only those of the application of this merchant')),
  }),
  'regenerate-key': post(
    '/keys/regenerate',
    'Make a new API key; the old one stays valid for a while',
    applications.newKey,
    { ...ofApplication, graceMs: optional(milliseconds('How long the old key stays valid', 0, longest)) },
  ),
  'allow-list': get('/allow-list', 'Show the IP allow-list', applications.allowList, ofApplication),
  'set-allow-list': put(
    '/allow-list',
    'Replace the IP allow-list; an empty one lets every address in',
    applications.allowList,
    { ...ofApplication, addresses: listOf(addressRange, 100) },
  ),
  'webhook-secret': get(
    '/webhook-secret',
    'Tell the secret that webhooks are signed with',
    webhookSecret,
    ofApplication,
  ),
  'rotate-webhook-secret': post(
    '/webhook-secret/rotate',
    'Make a new webhook secret; the old one stays valid for a while',
    webhookSecret,
    { ...ofApplication, graceMs: optional(milliseconds('How long the old secret stays valid', 0, longest)) },
  ),
  merchants: get('/merchants', 'List the merchants', applications.merchantList),
  'add-merchant': post(
    '/merchants',
    'Add a merchant with terminals, and with an application of its own unless one is named',
    applications.addedMerchant,
    {
      merchantId: newMerchantId,
      name: optional(text('Name that customers know; left out, its id', 64)),
      appId: optional(name('Application that it joins; left out, a new one')),
      terminals: optional(listOf(serialNumber, 100, 'Serial numbers of its terminals')),
    },
  ),
} as const satisfies Record<string, Control>

/** The spaces of a server. */
export const spaceControls = {
  spaces: get('/spaces', 'List the spaces of the server', spaceList),
  'create-space': post('/spaces', 'Make a space: a sandbox of its own, with keys of its own', spaceAccess, {
    name: optional(space('Name of the space; without one, the server chooses it')),
    ttlMs: optional(milliseconds('Removed by itself after this many milliseconds', 1_000, longest)),
  }),
  space: get('/spaces/:space', 'Show a space, its API key included', spaceAccess),
  'remove-space': remove('/spaces/:space', 'Remove a space with all that is in it', spaceList),
} as const satisfies Record<string, Control>
