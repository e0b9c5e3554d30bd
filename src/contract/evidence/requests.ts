import { assumption } from './claim.ts'

/** How requests are read, and what is refused. */
export const requests = {
  'order-of-handling': assumption(
    'Checks run in [this order](api.md#authentication), and the first failure answers. Where several ' +
      'headers are wrong, `others` lists the rest. A body of unknown length is counted while it is read.',
    'Each refusal has one reason, and all wrong headers are fixed in one go. No body is read before the ' +
      'headers pass.',
    '`extras: false` leaves `others` out',
  ),
  'host-check': assumption(
    'On loopback, every request must name a loopback name. On another address, the payment API accepts ' +
      "any name; the control interface and the pages accept only the sandbox's own and that of " +
      '`--public-url`. There is no CORS. A request has exactly one Host: a name of at most 253 characters, ' +
      'IPv4, or IPv6 in brackets; a port from 1 to 65535 may follow. Anything else is refused with 400 ' +
      'before routing, and logged. So are a request without Host (HTTP/1.0 included) and a full URL with ' +
      'another host as target.',
    'Otherwise a page of another site could reach a sandbox by a name that resolves to loopback.',
    '`--host`',
    { errors: ['SBX_HOST', 'SBX_BAD_HTTP'], unchanged: ['SBX_BAD_HTTP'] },
  ),
  'failed-write': assumption(
    'A request that cannot be stored is refused with 503, `Retry-After: 1`, the reason and the folder, ' +
      'and uses up no id. A look-up that fails because the database is away gets the same code with a ' +
      'sentence of its own. [Other reads work](state-files.md#when-a-write-fails).',
    'Only a stored request is acknowledged.',
    null,
    { errors: ['SBX_STORE_FAIL'] },
  ),
  leaving: assumption(
    'A client that half-closes after its request still gets the answer. One that leaves before it has ' +
      'sent the whole request changes nothing, and is logged as SBX_CLIENT_LEFT. One that leaves before its ' +
      'answer does not undo the request. Bytes that are not HTTP get their error after the earlier answers ' +
      'of the connection, which closes within 2 s; the log shows them with `?`.',
    'A disconnect is not a fault of the sandbox.',
    null,
    { errors: ['SBX_CLIENT_LEFT', 'SBX_BAD_HTTP'] },
  ),
  'body-limit': assumption(
    'A body has at most 1 MiB, all headers together 16 KiB. A Content-Encoding other than `identity` is ' +
      'refused with 415, an `Expect` other than `100-continue` with 417.',
    'Bounded memory. The largest real request has a few KB, and no SDK compresses.',
    null,
    { errors: ['SBX_TOO_LARGE', 'SBX_HEADERS_BIG', 'SBX_EXPECTATION', 'SBX_MEDIA_TYPE'], limits: ['body'] },
  ),
  'request-id-form': assumption(
    'X-Client-Request-Id is [a UUID, or another text with a note](api.md#header-x-client-request-id). ' +
      'UUIDs are compared without dashes and case, other ids as they are.',
    'The specification says UUID, the public documents 64 characters. Two SDKs send no dashes, a public ' +
      'demo sends `CID_<ms>_<n>`.',
    '`requestIds: uuid` and `--strict` require a UUID',
    { errors: ['SBX_REQ_ID_FORM'] },
  ),
  'header-forms': assumption(
    '`Bearer` in any case, and a Content-Type with a charset, are [accepted with a ' +
      'note](api.md#authentication). A GET without Content-Type is noted in the request log. ' +
      '`Authorization`, `Content-Type`, `X-Client-Request-Id` or `X-Timestamp` sent more than once is ' +
      'refused, even with one value.',
    'RFC 6750 and RFC 9110 compare schemes without case, and servers differ in which of several values ' +
      'counts. No SDK sends Content-Type on GET.',
    '`--strict`; `charset: refuse`; `strictContentType`',
    { errors: ['SBX_AUTH_FORMAT', 'SBX_MEDIA_TYPE'] },
  ),
  'field-reading': assumption(
    '`null` and an empty string mean absent (an empty `attach` is returned as it is); an empty required ' +
      'field is missing. Unknown fields, and fields that do not apply, are ignored with a note that gives ' +
      'the likely name. A note also tells of a field that is there twice, an integer with a fraction or ' +
      "exponent (`10.00`), and a fraction that a double does not hold. Of those, JSON's usual reading " +
      'counts, and in a URL the first value. An integer that is read with other digits than were written ' +
      '(`0.9999999999999999999`) is refused. [Details](#field-reading).',
    'SDKs send `null` or empty text for unset fields. A real service adds fields, but a typo should be ' +
      'seen, and which of two amounts counts must not be decided in silence.',
    '`--strict` refuses unknown fields and odd JSON',
    { errors: ['C17'] },
  ),
  'field-limits': assumption(
    'Fields have [these lengths, characters and ranges](api.md#fields).',
    'The specification states no limits and no unit; those of the SDKs are public.',
    null,
    { errors: ['C17'], limits: ['text', 'url', 'amount'] },
  ),
  'amount-shapes': assumption(
    '`amount` is an integer or an object; [both shapes](api.md#fields) are accepted. A `totalAmount` must ' +
      'equal the sum of the parts. A follow-up is in the currency of its original. An online payment with ' +
      'cashback is refused.',
    "The integer is the specification's, the object that of the SDKs. Cash is handed out at a counter.",
    null,
    { errors: ['SBX_CURRENCY'], fields: ['amount'] },
  ),
  parties: assumption(
    'A request that names no application, merchant or terminal gets [the first ones](api.md#fields). An ' +
      "unknown merchant or terminal is refused with the nearest known one. An unknown appId counts as the key's " +
      'application, with a note. An id of another application or merchant is refused.',
    "The specification's request table has none of these fields. A mistyped serial number must not pass " +
      'as a new terminal that approves.',
    '`terminals: open` adds unknown ones, with a note; `appIds: known` and `--strict` refuse an unknown ' +
      'appId',
    { errors: ['SBX_OTHER_OWNER', 'SBX_UNREGISTERED'], unchanged: ['SBX_OTHER_OWNER'] },
  ),
  'named-transactions': assumption(
    'A transaction is named by transactionId or transactionRequestId, an original by originalTransactionId ' +
      'or originalTransactionRequestId; of two, the transaction id wins. Without merchantId all merchants of ' +
      'the application are searched; one of another merchant is refused. Where several of them used a ' +
      'transaction request id, a follow-up by it alone is refused with their names, and a query answers that ' +
      'of the first, with a note.',
    'The specification names both ids, and neither which one wins nor a merchant.',
    null,
    { errors: ['SBX_TXN_UNKNOWN'] },
  ),
  'card-data': assumption(
    'Card data in a body, a query or a path is refused before anything is logged or stored. ' +
      '[Details](#card-data).',
    'Plaintext card data is outside the interface. An order id of 16 digits looks like a card number once ' +
      'in 15 times.',
    null,
    { errors: ['SBX_CARD_DATA'] },
  ),
  duplicates: assumption(
    'A repeated X-Client-Request-Id or transactionRequestId is refused with the id of the first ' +
      'transaction. [Details](#duplicates).',
    'The specification lists both among the rejections.',
    '`duplicates: replay` repeats the first answer, also a refusal by a rule, with `X-Sandbox-Replayed: ' +
      'true`; what is refused for its JSON or its fields is checked anew',
    { errors: ['SBX_DUP_REQUEST', 'SBX_DUP_TXN_ID', 'SBX_DUP_OTHER'], headers: ['X-Sandbox-Replayed'] },
  ),
  'request-log': assumption(
    'The last 1,000 requests are kept in memory, with headers and bodies of both sides. Equal successful ' +
      'look-ups that one caller (address, key, User-Agent) sends in a row, with the same answer, are one ' +
      'row with their number and the trace ids of the last 1,000. [Details](#request-log).',
    'Enough to see why a request was refused, and to send it again. Polling would push everything else out.',
    '`tillbox logs tail`; `/requests?show=all`',
    { errors: ['SBX_REQ_NONE'], unchanged: ['SBX_REQ_NONE'] },
  ),
  'foreign-text': assumption(
    'Text from elsewhere is printed with visible control characters: `␛` for escape, `�` for those ' +
      'without a picture or that change the text direction. Bodies keep their lines; `--json` escapes.',
    'Any web page can send a path, and a terminal obeys escape sequences.',
  ),
}
