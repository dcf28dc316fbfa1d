import type { Context } from '../../context.ts'

/** The URL of a page on the code host. */
export function hostAddress({ config }: Pick<Context, 'config'>, path: string): string {
  return `${config.codeHost.webUrl.href.replace(/\/$/, '')}/${path}`
}
