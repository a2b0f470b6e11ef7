import type { AnswerOf } from '../../api/api.ts';

type Invocation = AnswerOf<'listInvocations'>['invocations'][number];

/** What happened in one day, in UTC. */
export interface UsageOfDay {
  readonly day: string;
  readonly completed: number;
  readonly failed: number;
  readonly inProgress: number;
}

const dayMs = 86_400_000;

/** Invocations by day, days without one among them. */
export function byDay(
  invocations: readonly Pick<Invocation, 'askedAt' | 'status'>[],
  days: number,
  now: number,
): readonly UsageOfDay[] {
  const names = Array.from({ length: days }, (_, index) => dayOf(now - (days - 1 - index) * dayMs));
  return names.map((day) => {
    const asked = invocations.filter(({ askedAt }) => dayOf(Date.parse(askedAt)) === day);
    const count = (status: Invocation['status']) => asked.filter((each) => each.status === status).length;
    return { day, completed: count('Completed'), failed: count('Failed'), inProgress: count('In Progress') };
  });
}

/** Who or what stands behind most invocations. */
export function mostFrequent(names: readonly string[], max = 10): readonly (readonly [name: string, count: number])[] {
  const counts = new Map<string, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((one, other) => other[1] - one[1] || one[0].localeCompare(other[0])).slice(0, max);
}

function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
