import type { ArticleText } from '../../domain/articles/read.ts'
import type { ArticleFacts } from '../../writer/render/headMarkdown.ts'

/** What the Markdown of an article says about its pull request. */
export function factsOf(article: ArticleText): ArticleFacts {
  return {
    repositoryFullName: `${article.owner}/${article.name}`,
    prNumber: article.number,
    hostPrUrl: article.host_url,
    title: article.title,
    authorLogin: article.author_login,
    state: article.state,
    mergedAt: article.merged_at?.toISOString() ?? null,
  }
}
