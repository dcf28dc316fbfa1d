import type { components, operations } from '../../../generated/api.ts'

type Answer<
  Id extends keyof operations,
  Status extends keyof operations[Id]['responses'],
> = operations[Id]['responses'][Status] extends { content: { 'application/json': infer Body } } ? Body : never
type Liked = Answer<'likeArticle', 201> | Answer<'unlikeArticle', 200>
type Job = components['schemas']['ArticleJob']

/** A tap on the heart without a new page; where that fails, the ordinary way. */
for (const form of document.querySelectorAll<HTMLFormElement>('form.like'))
  form.addEventListener('submit', async (event) => {
    const button = form.querySelector('button')
    const count = button?.querySelector('span')
    if (!button || !count) return
    event.preventDefault()
    // Not disabled: that would take the focus away.
    if (button.ariaDisabled === 'true') return
    button.ariaDisabled = 'true'
    const fields = new FormData(form)
    const isLiking = button.value === 'like'
    const address = `/articles/${fields.get('articleId')}/language/${fields.get('language')}/like`
    try {
      const answer = await fetch(address, { method: isLiking ? 'POST' : 'DELETE' })
      if (!answer.ok) throw new Error(answer.statusText)
      const { data } = (await answer.json()) as Liked
      count.textContent = String(data.likeCount)
      button.value = isLiking ? 'unlike' : 'like'
      button.setAttribute('aria-pressed', String(isLiking))
      button.ariaDisabled = null
    } catch {
      button.ariaDisabled = null
      const wish = document.createElement('input')
      wish.type = 'hidden'
      wish.name = 'wish'
      wish.value = button.value
      form.append(wish)
      form.submit()
    }
  })

/** The progress of an article that is being written, as it goes on. */
const writing = document.querySelector<HTMLElement>('[data-job]')
const progress = writing?.querySelector('progress')
if (writing && progress) {
  const stages = JSON.parse(writing.dataset['stages'] ?? '{}') as Record<Job['stage'], string>
  const label = writing.querySelector('label')
  const events = new EventSource(`/article-jobs/${writing.dataset['job']}`)
  events.addEventListener('progress', (event) => {
    const job = JSON.parse(event.data) as Job
    progress.value = job.progress
    if (label) label.textContent = stages[job.stage]
  })
  for (const end of ['succeeded', 'failed'])
    events.addEventListener(end, () => {
      events.close()
      location.reload()
    })
}
