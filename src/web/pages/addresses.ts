/** The pages of articles, each under its id. */
export const ARTICLE_PAGES = '/read/articles/'

/** The path of an article's page. */
export function pageAddress(articleId: string, language: string): string {
  return `${ARTICLE_PAGES}${articleId}?language=${language}`
}

/** The path of the page with the cited lines of an article. */
export function evidenceAddress(articleId: string, language: string): string {
  return `/read/articles/${articleId}/evidence?language=${language}`
}

/** The path of the form to report a mistake in an article. */
export function mistakeAddress(articleId: string, language: string): string {
  return `/read/articles/${articleId}/mistake?language=${language}`
}

/** The path of a repository's page. */
export function repositoryAddress(owner: string, name: string): string {
  return `/read/repos/${encodeURIComponent(owner)}/${encodeURIComponent(name)}`
}

/** The path of a pull request's page, which leads to the article if there is one. */
export function pullRequestAddress(owner: string, name: string, number: number): string {
  return `/read/pulls/${encodeURIComponent(owner)}/${encodeURIComponent(name)}/${number}`
}

/** The path of the page with the merged pull requests of a repository. */
export function mergesAddress(owner: string, name: string): string {
  return `${repositoryAddress(owner, name)}/merges`
}
