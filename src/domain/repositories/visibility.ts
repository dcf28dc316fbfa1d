import type { Context } from '../../context.ts'
import type { KnownRepository } from '../../db/repositories/repositories.ts'
import type { Audience } from '../../db/visibility.ts'
import type { HostRepository } from '../../host/codeHost.ts'
import { freshness } from './freshness.ts'

export function audienceOf(ctx: Context, session: { id: string | null } | undefined): Audience {
  return { sessionId: session?.id ?? null, ...freshness(ctx) }
}

export function toKnown({ id, owner, name, private: hidden, description }: HostRepository): KnownRepository {
  return { host_repo_id: id, owner, name, private: hidden, description }
}

export function shuffled<T>(items: T[]): T[] {
  return items
    .map((item) => ({ item, place: Math.random() }))
    .sort((a, b) => a.place - b.place)
    .map(({ item }) => item)
}
