const ALIAS = /([?&]sslmode=)(prefer|require|verify-ca)(?=&|$)/
const OTHER_MEANING = /[?&]uselibpqcompat=true(?=&|$)/

/**
 * Names the mode that the driver uses: it verifies the certificate in all of these modes, and prints six lines about
 * that unless it is asked for `verify-full`.
 */
export function withActualSslMode(url: string): string {
  return OTHER_MEANING.test(url) ? url : url.replace(ALIAS, '$1verify-full')
}
