import { str } from 'envalid'
import { base64Keys, postgresUrl, signUp, siteUrl } from '../parsers.ts'

/** Variables that a deployment on a server must set. */
export const required = {
  DATABASE_URL: postgresUrl({
    default: undefined,
    desc: 'URL of a Postgres database, version 15 or newer. Unset: an embedded database in `DATA_DIR`.',
    example: 'postgres://pullpress:password@db:5432/pullpress',
  }),
  TOKEN_ENCRYPTION_KEY: base64Keys({
    default: undefined,
    desc: 'Encrypts stored code-host tokens: 32 bytes in base64 (`openssl rand -base64 32`). To rotate keys, list several, separated by commas: the first encrypts, all decrypt. Required with `DATABASE_URL`; the embedded database creates its own key in `DATA_DIR`.',
    example: 'new-key-in-base64,old-key-in-base64',
  }),
  PUBLIC_URL: siteUrl({
    default: undefined,
    desc: 'Public URL of the service, for links in pages and feeds and for the return from sign-in. Behind a TLS proxy, forms such as sign-in may be rejected without it. Unset: the URL of each request.',
    example: 'https://pullpress.example.com',
  }),
  ADDRESS: str({
    default: '127.0.0.1',
    desc: 'Address to listen on. `0.0.0.0` listens on all interfaces, for example in a container.',
  }),
  SIGN_UP: signUp({
    default: undefined,
    desc: 'Who may create an account: `open` (everybody on the code host), `closed`, or a list of organizations, users or both: `organizations:acme,logins:alice,bob`. Private members of an organization need a token that may read it (scope `read:org`). Their membership is checked daily. Accounts that exist are not affected. Unset: `closed` if `PUBLIC_URL` is set or `ADDRESS` is not a loopback address, otherwise `open`.',
    example: 'logins:your-login',
  }),
}
