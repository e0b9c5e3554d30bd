import { assumption } from './claim.ts'

/** How requests are read, and what is refused. */
export const requests = {
  'order-of-handling': assumption(
    'Checks run in [this order](api.md#authentication), and the answer reports the first failure. If ' +
      "several headers are wrong, `others` lists the rest. If a body's length is unknown, its size is " +
      'checked while it is read.',
    'Each refusal has one reason, but all wrong headers can be fixed at once. The body is read only ' +
      'after the headers are valid.',
    '`extras: false` removes `others`',
  ),
  'host-check': assumption(
    'On loopback, `Host` must be a loopback name. On another address, the payment API accepts any name. ' +
      "The control interface and the pages accept only the sandbox's own name and the host of " +
      '`--public-url`. There is no CORS. A request must have exactly one valid Host, and no full URL of ' +
      'another host as its target. Otherwise it is refused with 400 before routing, and logged.',
    'Otherwise, a page of another site could reach a sandbox by a name that resolves to loopback.',
    '`--host`',
    { errors: ['SBX_HOST', 'SBX_BAD_HTTP'], unchanged: ['SBX_BAD_HTTP'] },
  ),
  'failed-write': assumption(
    'A request that cannot be stored is refused with 503 and `Retry-After: 1`. The error names the ' +
      'reason and the folder. The request uses up no id. A look-up that fails because the database is ' +
      'unavailable gets the same code with another message. [Other reads ' +
      'work](state-files.md#when-a-write-fails).',
    'Only a stored request may be acknowledged.',
    null,
    { errors: ['SBX_STORE_FAIL'] },
  ),
  leaving: assumption(
    'If a client disconnects before its request is complete, nothing happens, and the log shows ' +
      'SBX_CLIENT_LEFT. If it disconnects before the answer, the request is carried out all the same. A ' +
      'client that closes only its sending side still gets the answer. Bytes that are not HTTP get an ' +
      'error, after the earlier answers of the connection. The connection then closes within 2 s.',
    'A disconnect is not a fault of the sandbox.',
    null,
    { errors: ['SBX_CLIENT_LEFT', 'SBX_BAD_HTTP'] },
  ),
  'body-limit': assumption(
    'A body has at most 1 MiB; all headers together have at most 16 KiB. A Content-Encoding other than ' +
      '`identity` is refused with 415, and an `Expect` other than `100-continue` with 417.',
    'This bounds the memory. The largest real request has a few KB, and no SDK compresses.',
    null,
    { errors: ['SBX_TOO_LARGE', 'SBX_HEADERS_BIG', 'SBX_EXPECTATION', 'SBX_MEDIA_TYPE'], limits: ['body'] },
  ),
  'request-id-form': assumption(
    'X-Client-Request-Id is [a UUID, or another string with a note](api.md#header-x-client-request-id). ' +
      'UUIDs are compared without dashes and case; other ids are compared exactly.',
    'The specification says UUID; the public documents say 64 characters. Two SDKs send no dashes, and a ' +
      'public demo sends `CID_<ms>_<n>`.',
    '`requestIds: uuid` and `--strict` require a UUID',
    { errors: ['SBX_REQ_ID_FORM'] },
  ),
  'header-forms': assumption(
    '`Bearer` in any case, and a Content-Type with a charset, are [accepted with a ' +
      'note](api.md#authentication). A GET without Content-Type is noted only in the request log. ' +
      '`Authorization`, `Content-Type`, `X-Client-Request-Id` and `X-Timestamp` may be sent only once, ' +
      'even with the same value.',
    'RFC 6750 and RFC 9110 compare schemes without case. Servers differ in which of several values they ' +
      'use. No SDK sends Content-Type on GET.',
    '`--strict`; `charset: refuse`; `strictContentType`',
    { errors: ['SBX_AUTH_FORMAT', 'SBX_MEDIA_TYPE'] },
  ),
  'field-reading': assumption(
    '`null` and an empty string mean that a field is absent; an empty `attach` is returned as it is. ' +
      'Unknown fields, and fields that do not apply, are ignored. A note names them, with the likely name ' +
      'of an unknown field. If a JSON field is sent twice, the last value is used; in a URL the first. A ' +
      'note also reports a duplicate field, an integer written as `10.00` or `1e3`, and a fraction that a ' +
      'double cannot hold. A number that becomes another integer when it is parsed ' +
      '(`0.9999999999999999999` becomes 1) is refused. [Details](#field-reading).',
    'SDKs send `null` or an empty string for unset fields. A real service adds fields over time, but a ' +
      'typo should be visible. If there are two amounts, you should see which one was used.',
    '`--strict` refuses unknown fields and odd JSON',
    { errors: ['C17'] },
  ),
  'field-limits': assumption(
    'Fields have [these lengths, characters and ranges](api.md#fields).',
    'The specification states no limits and no unit. The SDKs and public documents state some.',
    null,
    { errors: ['C17'], limits: ['text', 'url', 'amount'] },
  ),
  'amount-shapes': assumption(
    '`amount` is an integer or an object; [both shapes](api.md#fields) are accepted. A `totalAmount` ' +
      'must equal the order amount plus all parts. A follow-up has the currency of its original. A new ' +
      'online payment with cashback is refused.',
    'The integer is from the specification, the object from the SDKs. Cash is handed out only at a ' +
      'counter.',
    null,
    { errors: ['SBX_CURRENCY'], fields: ['amount'] },
  ),
  parties: assumption(
    'A request that names no application, merchant or terminal uses [the first ones](api.md#fields). An ' +
      'unknown merchant or terminal is refused; the error names the nearest known one. An unknown appId is ' +
      "read as the key's application, with a note. An id of another application or merchant is refused.",
    "The specification's request table has none of these fields. A mistyped serial number must not " +
      'become a new terminal that approves.',
    '`terminals: open` adds unknown ones, with a note; `appIds: known` and `--strict` refuse an unknown ' +
      'appId',
    { errors: ['SBX_OTHER_OWNER', 'SBX_UNREGISTERED'], unchanged: ['SBX_OTHER_OWNER'] },
  ),
  'named-transactions': assumption(
    'A request can name a transaction by transactionId or transactionRequestId, and an original by ' +
      'originalTransactionId or originalTransactionRequestId. If both are sent, the transaction id is ' +
      'used. Without merchantId, all merchants of the application are searched. With merchantId, a ' +
      'transaction of another merchant is refused. If several merchants used the same ' +
      "transactionRequestId, a query returns the first merchant's transaction, with a note. A follow-up " +
      'must then name the merchant; the error lists them.',
    'The specification names both ids. It does not say which one is used, and mentions no merchant.',
    null,
    { errors: ['SBX_TXN_UNKNOWN'] },
  ),
  'card-data': assumption(
    'Card data in a body, a query or a path is refused before anything is logged or stored. Some fields ' +
      'are not searched. [Details](#card-data).',
    'Plaintext card data is not part of the interface. Ids are not searched: some look like ' +
      'card numbers.',
    null,
    { errors: ['SBX_CARD_DATA'] },
  ),
  duplicates: assumption(
    'A repeated X-Client-Request-Id or transactionRequestId is refused with the id of the first ' +
      'transaction. [Details](#duplicates).',
    'The specification lists both as reasons to refuse.',
    '`duplicates: replay` returns the first answer again, with `X-Sandbox-Replayed: true`. This includes ' +
      'a refusal by a rule. A request with wrong JSON or wrong fields is checked again',
    { errors: ['SBX_DUP_REQUEST', 'SBX_DUP_TXN_ID', 'SBX_DUP_OTHER'], headers: ['X-Sandbox-Replayed'] },
  ),
  'request-log': assumption(
    'The last 1,000 requests are kept in memory, with headers and bodies of both sides. If a caller ' +
      'repeats a successful look-up and gets the same answer, the log shows one entry with a count and the ' +
      'last 1,000 trace ids. A caller is an address, key and User-Agent. [Details](#request-log).',
    'This is enough to see why a request was refused, and to send it again. Polling would displace ' +
      'everything else.',
    '`tillbox logs tail`; `/requests?show=all`',
    { errors: ['SBX_REQ_NONE'], unchanged: ['SBX_REQ_NONE'] },
  ),
  'foreign-text': assumption(
    'In text from elsewhere, control characters are shown as symbols: `␛` for escape, `�` for characters ' +
      'without a symbol or that change the text direction. Line breaks in bodies stay.',
    'Any web page can send a path, and a terminal obeys escape sequences.',
  ),
}
