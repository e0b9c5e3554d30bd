import { expect, test } from 'vitest'
import { withoutUrlSecrets } from '../../../src/shared/text/http-url.ts'

test.each([
  ['--to http://me:secret@host name/x?key=secret is no URL', '--to http://***@host name/x?*** is no URL'],
  ['not ftp://me:sec/ret@h/x?t=secret', 'not ftp://***@h/x?***'],
  ['http//me:secret@h is not a URL', 'http//***@h is not a URL'],
  ['http:/me:secret@h is not a URL', '***@h is not a URL'],
  ['me:secret@localhost 3000 is not a URL', '***@localhost 3000 is not a URL'],
  ['see postgres://me:se@cret@db/x?sslmode=require.', 'see postgres://***@db/x?***.'],
  ['npx tillbox@0.2.0 listen http://localhost:3000/', 'npx tillbox@0.2.0 listen http://localhost:3000/'],
  [
    'Write it as postgres://user:password@host:5432/database, or add ?sslmode=disable',
    'Write it as postgres://user:password@host:5432/database, or add ?sslmode=disable',
  ],
  ['Is it a URL? Run tillbox whoami', 'Is it a URL? Run tillbox whoami'],
])('of %j an error shows %j', (text, shown) => expect(withoutUrlSecrets(text)).toBe(shown))
