// Generated from src/web/pages/assets/reader.ts by `npm run generate`. Do not edit.
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
document.querySelector('form[data-go-on]')?.submit();
const writing = document.querySelector('[data-job]');
const progress = writing?.querySelector('progress');
if (writing && progress) {
    const stages = JSON.parse(writing.dataset['stages'] ?? '{}');
    moveBetweenReports(progress, writing.querySelector('#elapsed'));
    const label = writing.querySelector('label');
    const events = new EventSource(`/article-jobs/${writing.dataset['job']}`);
    events.addEventListener('progress', (event) => {
        const job = JSON.parse(event.data);
        progress.value = Math.max(progress.value, job.progress);
        progress.dataset['stage'] = job.stage;
        if (label)
            label.textContent = stages[job.stage];
    });
    for (const end of ['succeeded', 'failed'])
        events.addEventListener(end, () => {
            events.close();
            location.reload();
        });
}
function moveBetweenReports(progress, elapsed) {
    const startedAt = performance.now() - 1000 * Number(elapsed?.dataset['seconds']);
    const typicalSeconds = Number(progress.dataset['typical']);
    setInterval(() => {
        const seconds = Math.floor((performance.now() - startedAt) / 1000);
        if (elapsed)
            elapsed.textContent = `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
        if (progress.dataset['stage'] !== 'queued')
            progress.value += (1 - progress.value) / (2 * typicalSeconds);
    }, 1000);
}
const { lang } = document.documentElement;
const dateStyle = lang === 'ja' ? 'long' : 'medium';
const dates = new Intl.DateTimeFormat(lang, { dateStyle });
const clockTimes = new Intl.DateTimeFormat(lang, { dateStyle, timeStyle: 'short' });
for (const time of document.querySelectorAll('time')) {
    const format = time.hasAttribute('data-clock') ? clockTimes : dates;
    time.textContent = format.format(new Date(time.dateTime));
}
const share = document.querySelector('.share');
const address = share?.querySelector('input');
if (share && address) {
    const { value: url } = address;
    const status = share.querySelector('[role="status"]');
    const offer = (name, act) => {
        const button = share.querySelector(`[name="${name}"]`);
        if (!button)
            return;
        button.hidden = false;
        button.addEventListener('click', () => act(button).catch(() => address.select()));
    };
    address.addEventListener('focus', () => address.select());
    if ('clipboard' in navigator)
        offer('copy', async ({ dataset }) => {
            await navigator.clipboard.writeText(url);
            if (status)
                status.textContent = dataset['done'] ?? '';
        });
    if ('share' in navigator)
        offer('share', () => navigator.share({ title: document.title, url }));
}
let evidencePage;
async function loadPage(address) {
    const response = await fetch(address);
    if (!response.ok)
        throw new Error(response.statusText);
    return new DOMParser().parseFromString(await response.text(), 'text/html');
}
async function loadEvidence(link, id) {
    evidencePage ??= loadPage(link.href);
    const citation = (await evidencePage).querySelector(link.hash);
    if (!citation)
        throw new Error('There is no such citation.');
    const block = document.importNode(citation, true);
    block.id = id;
    return block;
}
function makeUnfolding(link, id) {
    let block;
    link.role = 'button';
    link.ariaExpanded = 'false';
    link.setAttribute('aria-controls', id);
    link.addEventListener('click', async (event) => {
        if (event.ctrlKey || event.metaKey || event.shiftKey)
            return;
        event.preventDefault();
        const isOpening = link.ariaExpanded === 'false';
        link.ariaExpanded = String(isOpening);
        block?.remove();
        if (!isOpening)
            return;
        try {
            const loaded = block ?? (await loadEvidence(link, id));
            block ??= loaded;
        }
        catch {
            evidencePage = undefined;
            location.href = link.href;
            return;
        }
        if (link.ariaExpanded === 'false' || block.isConnected)
            return;
        let place = link.closest('p, li, dd');
        if (place?.tagName !== 'P')
            return place?.append(block);
        while (place?.nextElementSibling?.matches('.evidence'))
            place = place.nextElementSibling;
        place?.after(block);
    });
    link.addEventListener('keydown', (event) => {
        if (event.key !== ' ')
            return;
        event.preventDefault();
        link.click();
    });
}
for (const [i, link] of [...document.querySelectorAll('a.cite')].entries())
    makeUnfolding(link, `cited-${i + 1}`);
export {};
