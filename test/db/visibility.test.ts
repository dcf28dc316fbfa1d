import { afterAll, expect, test } from 'vitest'
import { publicAudience, shownOrHidden, shownTo, stale, viewerAudience, withAccess } from '../../src/db/visibility.ts'
import { startService } from '../support/service.ts'

const service = await startService()
afterAll(() => service.close())
const { db } = service.ctx
const now = new Date()
const minutes = (count: number) => new Date(now.getTime() + count * 60_000)

interface Repository {
  isPrivate: boolean
  isDoubted: boolean
  isHidden: boolean
  /** When the code host last said whether the repository is public, in minutes from now. */
  verifiedAt: number
  access: Access | undefined
}
interface Access {
  isAllowed: boolean
  askedAt: number
}

const BOTH = [false, true]
const SECOND = 1 / 60
/** In minutes from now. Clocks of nodes differ by up to a second: a time further ahead comes from a wrong clock. */
const TIMES = [-10_000, -6, -4, 0.5 * SECOND, 5]
const accesses = [undefined, ...BOTH.flatMap((isAllowed) => TIMES.map((askedAt) => ({ isAllowed, askedAt })))]
const repositories: Repository[] = BOTH.flatMap((isPrivate) =>
  BOTH.flatMap((isDoubted) =>
    BOTH.flatMap((isHidden) =>
      TIMES.flatMap((verifiedAt) => accesses.map((access) => ({ isPrivate, isDoubted, isHidden, verifiedAt, access }))),
    ),
  ),
)

const isAhead = (time: number) => time > SECOND
const isFresh = (time: number | undefined) => time !== undefined && time > -5 && !isAhead(time)
const isDenied = ({ verifiedAt, access }: Repository) =>
  access?.isAllowed === false && (verifiedAt <= access.askedAt || isAhead(verifiedAt))

/** The expected rule: whether a session with this access check (or everybody, without one) may see a repository. */
function mayBeShown(repository: Repository): boolean {
  const { isPrivate, isDoubted, access } = repository
  if (isPrivate) return access?.isAllowed === true && isFresh(access.askedAt)
  return !isDoubted && !isDenied(repository)
}

/** The expected rule: whether the check that decides what the session sees must be repeated. */
function isStale(repository: Repository): boolean {
  const { isPrivate, verifiedAt, access } = repository
  return !isFresh(isPrivate || isDenied(repository) ? access?.askedAt : verifiedAt)
}

const sessionOf = async (login: string) => {
  await service.signedUp(login)
  const newest = db.selectFrom('sessions').select('id').orderBy('created_at', 'desc').limit(1)
  return (await newest.executeTakeFirstOrThrow()).id
}
const [asking, other] = [await sessionOf('asking'), await sessionOf('other')]
await db
  .insertInto('repositories')
  .values(
    repositories.map(({ isPrivate, isDoubted, isHidden, verifiedAt }, i) => ({
      host_repo_id: i + 1,
      owner: 'all',
      name: `r${i}`,
      private: isPrivate,
      doubted: isDoubted,
      hidden_by: isHidden ? '00000000-0000-7000-8000-000000000000' : null,
      verified_at: minutes(verifiedAt),
    })),
  )
  .execute()
await db
  .insertInto('repository_access')
  .values(
    repositories.flatMap(({ access }, i) =>
      access
        ? [{ session_id: asking, host_repo_id: i + 1, allowed: access.isAllowed, asked_at: minutes(access.askedAt) }]
        : [],
    ),
  )
  .execute()

const fresh = { now, public_minutes: 60 }
const asSession = (sessionId: string) => ({ ...viewerAudience(fresh, null), sessionId })
const shown = async (query: ReturnType<typeof shownTo>) =>
  (await query.select('repositories.host_repo_id').orderBy('repositories.host_repo_id').execute()).map(
    ({ host_repo_id }) => Number(host_repo_id),
  )
const idsOf = (isShown: (repository: Repository) => boolean) =>
  repositories.flatMap((repository, i) => (isShown(repository) ? [i + 1] : []))
const withoutAccess = (repository: Repository) => mayBeShown({ ...repository, access: undefined })

test(`of ${repositories.length} repositories, a session sees exactly those that the rule allows`, async () => {
  const expected = idsOf((repository) => !repository.isHidden && mayBeShown(repository))
  expect(expected.length).toBeGreaterThan(50)
  expect(await shown(shownTo(db, asSession(asking)))).toEqual(expected)
})

test('the access check of one session does not count for other viewers', async () => {
  const expected = idsOf((repository) => !repository.isHidden && withoutAccess(repository))
  expect(await shown(shownTo(db, asSession(other)))).toEqual(expected)
  expect(await shown(shownTo(db, publicAudience(fresh)))).toEqual(expected)
})

test('shownOrHidden also returns hidden repositories that the viewer could see if they were not hidden', async () => {
  expect(await shown(shownOrHidden(db, asSession(asking)))).toEqual(idsOf(mayBeShown))
  expect(await shown(shownOrHidden(db, publicAudience(fresh)))).toEqual(idsOf(withoutAccess))
})

test("the check of a private or denied repository is the session's own, and that of a public one anyone's", async () => {
  const checked = withAccess(db, asSession(asking)).where(stale({ now }))
  expect(await shown(checked)).toEqual(idsOf((repository) => !repository.isHidden && isStale(repository)))
})
