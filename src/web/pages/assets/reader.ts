import type { components, operations } from '../../../../generated/api.ts'

type ResponseBody<
  Id extends keyof operations,
  Status extends keyof operations[Id]['responses'],
> = operations[Id]['responses'][Status] extends { content: { 'application/json': infer Body } } ? Body : never
type Liked = ResponseBody<'likeArticle', 201> | ResponseBody<'unlikeArticle', 200>
type Job = components['schemas']['ArticleJob']

/** Likes without reloading the page; submits the form if that fails. */
for (const form of document.querySelectorAll<HTMLFormElement>('form.like'))
  form.addEventListener('submit', async (event) => {
    const button = form.querySelector('button')
    const count = button?.querySelector('span')
    if (!button || !count) return
    event.preventDefault()
    // `disabled` would lose the focus.
    if (button.ariaDisabled === 'true') return
    button.ariaDisabled = 'true'
    const fields = new FormData(form)
    const isLiking = button.value === 'like'
    const address = `/articles/${fields.get('articleId')}/language/${fields.get('language')}/like`
    try {
      const response = await fetch(address, { method: isLiking ? 'POST' : 'DELETE' })
      if (!response.ok) throw new Error(response.statusText)
      const { data } = (await response.json()) as Liked
      count.textContent = String(data.likeCount)
      button.value = isLiking ? 'unlike' : 'like'
      button.setAttribute('aria-pressed', String(isLiking))
      button.ariaDisabled = null
    } catch {
      button.ariaDisabled = null
      const field = document.createElement('input')
      field.type = 'hidden'
      field.name = 'wish'
      field.value = button.value
      form.append(field)
      form.submit()
    }
  })

/** After signing in, submits the form of the action that the visitor had to sign in for. */
document.querySelector<HTMLFormElement>('form[data-go-on]')?.submit()

/** Updates the progress of an article job from its event stream. */
const writing = document.querySelector<HTMLElement>('[data-job]')
const progress = writing?.querySelector('progress')
if (writing && progress) {
  const stages = JSON.parse(writing.dataset['stages'] ?? '{}') as Record<Job['stage'], string>
  moveBetweenReports(progress, writing.querySelector<HTMLElement>('#elapsed'))
  const label = writing.querySelector('label')
  const events = new EventSource(`/article-jobs/${writing.dataset['job']}`)
  events.addEventListener('progress', (event) => {
    const job = JSON.parse(event.data) as Job
    progress.value = Math.max(progress.value, job.progress)
    progress.dataset['stage'] = job.stage
    if (label) label.textContent = stages[job.stage]
  })
  for (const end of ['succeeded', 'failed'])
    events.addEventListener(end, () => {
      events.close()
      location.reload()
    })
}

/** Every second, shows the elapsed time and moves the bar, ever more slowly, so that it never reaches its end. */
function moveBetweenReports(progress: HTMLProgressElement, elapsed: HTMLElement | null): void {
  const startedAt = performance.now() - 1000 * Number(elapsed?.dataset['seconds'])
  const typicalSeconds = Number(progress.dataset['typical'])
  setInterval(() => {
    const seconds = Math.floor((performance.now() - startedAt) / 1000)
    if (elapsed) elapsed.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`
    if (progress.dataset['stage'] !== 'queued') progress.value += (1 - progress.value) / (2 * typicalSeconds)
  }, 1000)
}

/** Dates are rendered in UTC; here they get the reader's time zone. */
const { lang } = document.documentElement
const dateStyle = lang === 'ja' ? 'long' : 'medium'
const dates = new Intl.DateTimeFormat(lang, { dateStyle })
const clockTimes = new Intl.DateTimeFormat(lang, { dateStyle, timeStyle: 'short' })
for (const time of document.querySelectorAll('time')) {
  const format = time.hasAttribute('data-clock') ? clockTimes : dates
  time.textContent = format.format(new Date(time.dateTime))
}

/** Offers to copy or share the URL of the article, where the browser can. */
const share = document.querySelector('.share')
const address = share?.querySelector('input')
if (share && address) {
  const { value: url } = address
  const status = share.querySelector('[role="status"]')
  const offer = (name: 'copy' | 'share', act: (button: HTMLButtonElement) => Promise<void>) => {
    const button = share.querySelector<HTMLButtonElement>(`[name="${name}"]`)
    if (!button) return
    button.hidden = false
    // If the browser refuses or the reader closes the share menu, selects the URL, to be copied by hand.
    button.addEventListener('click', () => act(button).catch(() => address.select()))
  }
  address.addEventListener('focus', () => address.select())
  if ('clipboard' in navigator)
    offer('copy', async ({ dataset }) => {
      await navigator.clipboard.writeText(url)
      if (status) status.textContent = dataset['done'] ?? ''
    })
  if ('share' in navigator) offer('share', () => navigator.share({ title: document.title, url }))
}

/** The page with the cited lines of the article, loaded once. */
let evidencePage: Promise<Document> | undefined

async function loadPage(address: string): Promise<Document> {
  const response = await fetch(address)
  if (!response.ok) throw new Error(response.statusText)
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

async function loadEvidence(link: HTMLAnchorElement, id: string): Promise<Element> {
  evidencePage ??= loadPage(link.href)
  const citation = (await evidencePage).querySelector(link.hash)
  if (!citation) throw new Error('There is no such citation.')
  const block = document.importNode(citation, true)
  block.id = id
  return block
}

/** A click on the number of a citation shows the cited lines below the paragraph, or follows the link if that fails. */
function makeUnfolding(link: HTMLAnchorElement, id: string): void {
  let block: Element | undefined
  link.role = 'button'
  link.ariaExpanded = 'false'
  link.setAttribute('aria-controls', id)
  link.addEventListener('click', async (event) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    const isOpening = link.ariaExpanded === 'false'
    link.ariaExpanded = String(isOpening)
    block?.remove()
    if (!isOpening) return
    try {
      const loaded = block ?? (await loadEvidence(link, id))
      block ??= loaded
    } catch {
      evidencePage = undefined
      location.href = link.href
      return
    }
    // The reader may have closed the lines, or closed and opened them again, while they were loaded.
    if (link.ariaExpanded === 'false' || block.isConnected) return
    let place = link.closest('p, li, dd')
    if (place?.tagName !== 'P') return place?.append(block)
    while (place?.nextElementSibling?.matches('.evidence')) place = place.nextElementSibling
    place?.after(block)
  })
  // Like a button, the link is also activated by the space bar.
  link.addEventListener('keydown', (event) => {
    if (event.key !== ' ') return
    event.preventDefault()
    link.click()
  })
}

for (const [i, link] of [...document.querySelectorAll<HTMLAnchorElement>('a.cite')].entries())
  makeUnfolding(link, `cited-${i + 1}`)
