import type { components, operations } from '../../../generated/api.ts'

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

/** Updates the progress of an article job from its event stream. */
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
