import type { AnswerOf } from '../../api/api.ts';

type Invocation = AnswerOf<'listInvocations'>['invocations'][number];
type UsageAnswer = AnswerOf<'getAiUsage'>;

/** Usage of one day in UTC. */
export interface UsageOfDay {
  readonly day: string;
  readonly completed: number;
  readonly failed: number;
  readonly inProgress: number;
  /** Only if the server counted them. */
  readonly tokens: number | undefined;
}

type RankedNames = readonly (readonly [name: string | null, count: number])[];

/** The figures of the screen, whether the server or the browser counted them. */
export interface UsageFigures {
  readonly days: readonly UsageOfDay[];
  readonly total: number;
  readonly failed: number;
  readonly tokens: { readonly input: number; readonly output: number } | undefined;
  readonly costUsd: number | undefined;
  /** The number of invocations with unknown cost. */
  readonly uncosted: number;
  readonly agents: RankedNames;
  readonly people: RankedNames;
  /** False if there were too many to read. */
  readonly isWhole: boolean;
}

const dayMs = 86_400_000;
const rankedMax = 10;

/** Figures counted by the server, for administrators. */
export function figuresOfServer({ series, totals, agents, people }: UsageAnswer): UsageFigures {
  return {
    days: series.map(({ startsAt, completed, failed, inProgress, inputTokens, outputTokens }) => ({
      day: startsAt.slice(0, 10),
      completed,
      failed,
      inProgress,
      tokens: inputTokens + outputTokens,
    })),
    total: totals.invocations,
    failed: totals.failed,
    tokens: { input: totals.inputTokens, output: totals.outputTokens },
    costUsd: totals.costUsd ?? undefined,
    uncosted: totals.uncosted,
    agents: agents.slice(0, rankedMax).map(({ agent, invocations }) => [agent, invocations]),
    people: people.slice(0, rankedMax).map(({ askedBy, invocations }) => [askedBy, invocations]),
    isWhole: true,
  };
}

/** Figures counted from the invocations that the user may see. */
export function figuresOfList(
  invocations: readonly Pick<Invocation, 'askedAt' | 'status' | 'agent' | 'askedBy'>[],
  isWhole: boolean,
  days: number,
  now: number,
): UsageFigures {
  const names = Array.from({ length: days }, (_, index) => toDay(now - (days - 1 - index) * dayMs));
  const count = (all: typeof invocations, status: Invocation['status']) =>
    all.filter((each) => each.status === status).length;
  return {
    days: names.map((day) => {
      const asked = invocations.filter(({ askedAt }) => toDay(Date.parse(askedAt)) === day);
      return {
        day,
        completed: count(asked, 'Completed'),
        failed: count(asked, 'Failed'),
        inProgress: count(asked, 'In Progress'),
        tokens: undefined,
      };
    }),
    total: invocations.length,
    failed: count(invocations, 'Failed'),
    tokens: undefined,
    costUsd: undefined,
    uncosted: 0,
    agents: ranked(invocations.map(({ agent }) => agent)),
    people: ranked(invocations.map(({ askedBy }) => askedBy)),
    isWhole,
  };
}

function ranked(names: readonly (string | null)[]): RankedNames {
  const counts = new Map<string | null, number>();
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1);
  return [...counts].toSorted((one, other) => other[1] - one[1]).slice(0, rankedMax);
}

function toDay(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}
