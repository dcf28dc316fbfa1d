import { ARTICLE_PAGES, pageAddress, pullRequestAddress, repositoryAddress } from './addresses.ts'

/** The URL of the pages of articles, to which the id of one is appended. */
export function articlePages(origin: string): string {
  return `${origin}${ARTICLE_PAGES}`
}

export function withArticleUrl<T extends { articleId: string; languageCode: string }>(origin: string, article: T) {
  return { ...article, url: `${origin}${pageAddress(article.articleId, article.languageCode)}` }
}

export function withRepositoryUrl<T extends { owner: string; repo: string }>(origin: string, repository: T) {
  return { ...repository, url: `${origin}${repositoryAddress(repository.owner, repository.repo)}` }
}

/** Builds the URLs of the pages of pull requests. */
export function pullRequestPages(origin: string) {
  return (owner: string, name: string, number: number) => `${origin}${pullRequestAddress(owner, name, number)}`
}

export function withPullRequestUrl<T extends { owner: string; repo: string; prNumber: number }>(
  origin: string,
  pull: T,
) {
  return { ...pull, url: pullRequestPages(origin)(pull.owner, pull.repo, pull.prNumber) }
}

/** A page of a list, with the URL of each item. */
export function withUrls<Item, Page extends { data: Item[] }, Addressed>(
  origin: string,
  page: Page & { data: Item[] },
  withUrl: (origin: string, item: Item) => Addressed,
): Omit<Page, 'data'> & { data: Addressed[] } {
  return { ...page, data: page.data.map((item) => withUrl(origin, item)) }
}
