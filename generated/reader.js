// Generated from src/pages/assets/reader.ts by `npm run generate`. Do not edit.
for (const form of document.querySelectorAll('form.like'))
    form.addEventListener('submit', async (event) => {
        const button = form.querySelector('button');
        const count = button?.querySelector('span');
        if (!button || !count)
            return;
        event.preventDefault();
        if (button.ariaDisabled === 'true')
            return;
        button.ariaDisabled = 'true';
        const fields = new FormData(form);
        const isLiking = button.value === 'like';
        const address = `/articles/${fields.get('articleId')}/language/${fields.get('language')}/like`;
        try {
            const response = await fetch(address, { method: isLiking ? 'POST' : 'DELETE' });
            if (!response.ok)
                throw new Error(response.statusText);
            const { data } = (await response.json());
            count.textContent = String(data.likeCount);
            button.value = isLiking ? 'unlike' : 'like';
            button.setAttribute('aria-pressed', String(isLiking));
            button.ariaDisabled = null;
        }
        catch {
            button.ariaDisabled = null;
            const field = document.createElement('input');
            field.type = 'hidden';
            field.name = 'wish';
            field.value = button.value;
            form.append(field);
            form.submit();
        }
    });
const writing = document.querySelector('[data-job]');
const progress = writing?.querySelector('progress');
if (writing && progress) {
    const stages = JSON.parse(writing.dataset['stages'] ?? '{}');
    const label = writing.querySelector('label');
    const events = new EventSource(`/article-jobs/${writing.dataset['job']}`);
    events.addEventListener('progress', (event) => {
        const job = JSON.parse(event.data);
        progress.value = job.progress;
        if (label)
            label.textContent = stages[job.stage];
    });
    for (const end of ['succeeded', 'failed'])
        events.addEventListener(end, () => {
            events.close();
            location.reload();
        });
}
export {};
