import type { AiUsageFigures } from '@portolan/contract/ai-usage';
import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import type { AssistantDeps } from './assistant.deps.ts';
import { type GroupedUsage, type Interval, readGroupedUsage } from './grouped-usage.store.ts';

export interface UsageQuery {
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  readonly interval: Interval;
}

const dayMs = 86_400_000;
const hourMs = 3_600_000;
const daysMax = 366;
const intervalsMax = 1_000;
const daysByDefault = 30;
const topMax = 20;

/**
 * Usage, grouped in one statement. It outlives questions and answers, because records stay.
 * @throws AppError `invalid_request`
 */
export async function readAiUsage({ database, clock }: AssistantDeps, actor: Actor, query: UsageQuery) {
  const to = query.to === undefined ? clock.now() : new Date(query.to);
  const from = query.from === undefined ? new Date(to.getTime() - daysByDefault * dayMs) : new Date(query.from);
  const { interval } = query;
  const starts = listIntervalStarts(from, to, interval);
  const rows = await readGroupedUsage(database, actor.orgId, { from, to, interval, topMax });
  const byStart = new Map(rows.filter(({ kind }) => kind === 'interval').map((row) => [row.startsAt, row]));
  const totals = rows.find(({ kind }) => kind === 'totals');
  return {
    from: from.toISOString(),
    to: to.toISOString(),
    interval,
    totals: toFigures(totals),
    series: starts.map((startsAt) => ({ startsAt, ...toFigures(byStart.get(startsAt)) })),
    agents: rows.filter(({ kind }) => kind === 'agent').map((row) => ({ agent: row.agent, ...toFigures(row) })),
    people: rows
      .filter(({ kind }) => kind === 'person')
      .map((row) => ({ askedBy: row.askedBy ?? '', ...toFigures(row) })),
  };
}

const none: AiUsageFigures = {
  invocations: 0,
  completed: 0,
  failed: 0,
  inProgress: 0,
  inputTokens: 0,
  outputTokens: 0,
  toolCalls: 0,
  costUsd: null,
  uncosted: 0,
};

function toFigures(row: GroupedUsage | undefined): AiUsageFigures {
  if (!row) return none;
  const { invocations, completed, failed, inProgress, inputTokens, outputTokens, toolCalls, costUsd, uncosted } = row;
  return { invocations, completed, failed, inProgress, inputTokens, outputTokens, toolCalls, costUsd, uncosted };
}

/** Starts of the intervals in UTC; weeks start on Monday. */
function listIntervalStarts(from: Date, to: Date, interval: Interval): string[] {
  if (from >= to) throw invalidRequest([{ path: '{query}/from', message: 'must be before to' }]);
  if (to.getTime() - from.getTime() > daysMax * dayMs) {
    throw invalidRequest([{ path: '{query}/from', message: `may be at most ${daysMax} days before to` }]);
  }
  const starts: string[] = [];
  for (let start = intervalStart(from, interval); start < to; start = nextIntervalStart(start, interval)) {
    starts.push(start.toISOString());
    if (starts.length > intervalsMax) {
      const message = `gives more than ${intervalsMax} intervals; ask for a longer interval or a shorter time`;
      throw invalidRequest([{ path: '{query}/interval', message }]);
    }
  }
  return starts;
}

function intervalStart(moment: Date, interval: Interval): Date {
  const [year, month, day] = [moment.getUTCFullYear(), moment.getUTCMonth(), moment.getUTCDate()];
  switch (interval) {
    case 'hour':
      return new Date(Math.floor(moment.getTime() / hourMs) * hourMs);
    case 'day':
      return new Date(Date.UTC(year, month, day));
    case 'week':
      return new Date(Date.UTC(year, month, day - ((moment.getUTCDay() + 6) % 7)));
    case 'month':
      return new Date(Date.UTC(year, month, 1));
  }
}

function nextIntervalStart(start: Date, interval: Interval): Date {
  if (interval === 'month') return new Date(Date.UTC(start.getUTCFullYear(), start.getUTCMonth() + 1, 1));
  return new Date(start.getTime() + { hour: hourMs, day: dayMs, week: 7 * dayMs }[interval]);
}
