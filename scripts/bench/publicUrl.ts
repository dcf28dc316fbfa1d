/** Of both servers, because responses hold the URLs of pages. */
export const PUBLIC_URL = 'https://pullpress.example.com'

/** The pages of articles, to which an id is appended. */
export const ARTICLE_PAGES = `${PUBLIC_URL}/read/articles/`
