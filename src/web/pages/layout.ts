import { html, type SafeHtml } from '@remix-run/html-template'
import { card, icon, script, stylesheet } from './assets.ts'
import { NEWEST_FEED, RANKING_FEED } from './feedPaths.ts'
import { LOCALES, texts } from './locale.ts'
import type { Page, Visit } from './page.ts'
import { searchBox } from './views/searchBox.ts'
import { returnPath, signInPath } from './wish.ts'

/** The HTML document around the body of a page. */
export function layout(
  visit: Visit,
  { title, description, canonical, languages = [], feed, isPrivate, isPassing, isWide, refreshSeconds, body }: Page,
): SafeHtml {
  const t = texts[visit.locale]
  // The form that changes the language redirects to this path. A redirect into the middle of signing in would fail.
  const languagePath = visit.path.startsWith('/sign-in/') ? '/read' : visit.path
  return html`<!doctype html>
<html lang="${visit.locale}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${canonical ? html`<link rel="canonical" href="${visit.origin}${canonical}">` : ''}
<title>${title === t.name ? `${t.name}: ${t.tagline}` : `${title} · ${t.name}`}</title>
${description ? html`<meta name="description" content="${description}">` : ''}
${
  canonical && !isPrivate
    ? html`<meta property="og:title" content="${title}"><meta property="og:description" content="${description ?? ''}"><meta property="og:type" content="${canonical === '/read' ? 'website' : 'article'}"><meta property="og:url" content="${visit.origin}${canonical}"><meta property="og:site_name" content="${t.name}">
<meta property="og:image" content="${visit.origin}${card.address}"><meta property="og:image:width" content="${card.width}"><meta property="og:image:height" content="${card.height}"><meta property="og:image:alt" content="${t.name}: ${t.tagline}"><meta name="twitter:card" content="summary_large_image">
${feedLink({ title: t.newest, path: NEWEST_FEED })}
${feedLink({ title: t.ranking, path: RANKING_FEED })}
${languages.map(([code, path]) => html`<link rel="alternate" hreflang="${code}" href="${visit.origin}${path}">`)}`
    : ''
}
${feed ? feedLink(feed) : ''}
${refreshSeconds ? html`<noscript><meta http-equiv="refresh" content="${String(refreshSeconds)}"></noscript>` : ''}
${isPrivate ? html`<meta name="robots" content="noindex">` : ''}
<link rel="icon" href="${icon.address}" type="image/svg+xml">
<link rel="stylesheet" href="${stylesheet.address}">
<script type="module" src="${script.address}"></script>
</head>
<body>
<a class="skip" href="#main">${t.skip}</a>
<header class="top">
<a class="mark" href="/read">${t.name}</a>
${searchBox(visit)}
<nav>${isPassing ? '' : visit.viewer ? accountLinks(visit) : html`<a href="${signInPath(returnPath(visit.path))}">${t.signIn}</a>`}</nav>
</header>
<main id="main" ${isWide ? html`class="wide"` : ''}>${body}</main>
<footer>
<form method="post" action="/read/language" class="languages">
<span id="languages">${t.chooseLanguage}</span>
<input type="hidden" name="to" value="${languagePath}">
${LOCALES.map(
  (locale) =>
    html`<button name="language" value="${locale}" lang="${locale}" ${locale === visit.locale ? html`aria-current="true"` : ''}>${texts[locale].language}</button>`,
)}
</form>
<a href="/docs">${t.apiDocs}</a>
</footer>
</body>
</html>
`
}

function feedLink({ title, path }: NonNullable<Page['feed']>): SafeHtml {
  return html`<link rel="alternate" type="application/atom+xml" title="${title}" href="${path}">`
}

function accountLinks({ viewer, locale }: Visit): SafeHtml {
  const t = texts[locale]
  return html`<a href="/read/me">${t.myPage} <span class="who">${viewer?.user.host_username}</span></a>
<form method="post" action="/sign-out"><button>${t.signOut}</button></form>`
}
