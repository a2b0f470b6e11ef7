import type pg from 'pg';
import type { Finding } from '../harness/table.ts';
import { type Load, type Sent, type Stream, streamProblem } from './load.ts';

/** One event as the rig saw it. */
export interface Happened {
  readonly atMs: number;
  /** When the event was over: the node leads, the standbys go on, the pooler answers. */
  readonly overMs: number;
  /** When PostgreSQL itself first took a commit again; undefined where it never stopped. */
  readonly commitMs?: number;
}

export interface Stored {
  /** Rows of each entity, and of its making in the journal. */
  readonly entities: ReadonlyMap<string, number>;
  readonly journal: ReadonlyMap<string, number>;
  readonly jobs: { readonly dead: number; readonly left: number };
}

export async function readBack(client: pg.Client): Promise<Stored> {
  const counts = async (text: string): Promise<Map<string, number>> => {
    const { rows } = await client.query<{ identifier: string; count: number }>(text);
    return new Map(rows.map(({ identifier, count }) => [identifier, count]));
  };
  const { rows } = await client.query<{ dead: number; left: number }>(
    `select count(*) filter (where state = 'dead')::int as dead,
       count(*) filter (where state <> 'dead' and run_at < now() - interval '10 s')::int as left from jobs`,
  );
  return {
    entities: await counts(
      `select identifier, count(*)::int as count from entities where identifier like 'w-%' group by identifier`,
    ),
    journal: await counts(
      `select identifier, count(*)::int as count from journal
       where action = 'CREATE' and identifier like 'w-%' group by identifier`,
    ),
    jobs: rows[0] ?? { dead: Number.NaN, left: Number.NaN },
  };
}

export interface Measured {
  readonly event: string;
  readonly happened: readonly Happened[];
  readonly load: Load;
  readonly undisturbed: Stream;
  readonly stored: Stored;
  /** From when to when everything was calm, to compare with. */
  readonly calm: readonly [number, number];
}

/** Every figure with what was promised for it. */
export function findings({ event, happened, load, undisturbed, stored, calm }: Measured): Finding[] {
  const writes = load.sent.filter(({ kind }) => kind === 'write');
  const acknowledged = writes.filter(isSuccess);
  const isStored = ({ identifier }: Sent): boolean => stored.entities.has(identifier ?? '');
  const lost = acknowledged.filter((each) => !isStored(each) || (stored.journal.get(each.identifier ?? '') ?? 0) === 0);
  const denied = writes.filter((each) => !isSuccess(each) && !each.isUnknown && isStored(each));
  const unknown = writes.filter(({ isUnknown }) => isUnknown);
  const doubled = [...stored.journal.values(), ...stored.entities.values()].filter((count) => count > 1);
  const withStatus = (matches: (status: number) => boolean): Sent[] =>
    load.sent.filter(({ status }) => matches(status));
  const wrong = withStatus((status) => status >= 300 && ![429, 503].includes(status));
  const bare = withStatus((status) => [429, 503].includes(status)).filter(({ hasRetryAfter }) => !hasRetryAfter);
  const refused = withStatus((status) => status === 503);
  const cut = withStatus((status) => status === 0);
  const problems = load.streams.flatMap((stream) => streamProblem(stream, undisturbed) ?? []);
  const none = { of: 'value', most: 0 } as const;
  const line = (figure: string, value: number, unit = '', more: Partial<Finding> = {}): Finding => ({
    ...{ path: event, contender: 'ours', figure, value, unit },
    ...more,
  });
  const lines = [
    line('writes acknowledged', acknowledged.length),
    line('of these lost', lost.length, '', { budget: none, note: names(lost) }),
    line('refused although stored', denied.length, '', { budget: none, note: describe(denied) }),
    line('told as unknown', unknown.length, '', { note: `${unknown.filter(isStored).length} of them stored` }),
    line('doubled rows', doubled.length, '', { budget: none }),
    line('reads answered', load.sent.filter((each) => each.kind === 'read' && isSuccess(each)).length),
    line('answers of 503', refused.length, '', { note: describe(refused) }),
    line('answers of 429', withStatus((status) => status === 429).length),
    line('connections lost', cut.length, '', { budget: none, note: describe(cut) }),
    line('answers of 500 and others', wrong.length, '', { budget: none, note: describe(wrong) }),
    line('refusals without Retry-After', bare.length, '', { budget: none, note: describe(bare) }),
    line('longest time without a write', longestGap(acknowledged) / 1000, 's'),
    line(
      'longest time without a read',
      longestGap(load.sent.filter((each) => each.kind === 'read' && isSuccess(each))) / 1000,
      's',
    ),
    line('streams read to their end', load.streams.length, '', {
      note: `${load.streams.filter(({ connections }) => connections > 1).length} over several connections`,
    }),
    line('streams that failed or differ', problems.length, '', { budget: none, note: problems.slice(0, 3).join('; ') }),
    line('dead jobs', stored.jobs.dead, '', { budget: none }),
    line('jobs left over', stored.jobs.left, '', { budget: none }),
  ];
  const recoveries = happened.flatMap(({ overMs, commitMs }) => {
    const from = commitMs ?? overMs;
    const first = Math.min(...acknowledged.map(({ endedMs }) => endedMs).filter((ms) => ms >= from));
    return event === 'stall-standby' ? [] : [first - from];
  });
  if (recoveries.length > 0) {
    const ordered = recoveries.map((ms) => (ms / 1000).toFixed(1)).join(' ');
    const most = event === 'kill-leader' ? { budget: { of: 'value', most: 2 } as const } : {};
    lines.push(
      line('first write after the database takes them', Math.max(...recoveries) / 1000, 's', {
        ...most,
        note: ordered,
      }),
    );
    lines.push(
      line('until the next node leads', Math.max(...happened.map(({ atMs, overMs }) => overMs - atMs)) / 1000, 's', {
        note: happened.map(({ atMs, overMs }) => ((overMs - atMs) / 1000).toFixed(1)).join(' '),
      }),
      line(
        'from there until it takes commits',
        Math.max(...happened.map(({ overMs, commitMs = overMs }) => commitMs - overMs)) / 1000,
        's',
        {
          note: happened.map(({ overMs, commitMs = overMs }) => ((commitMs - overMs) / 1000).toFixed(1)).join(' '),
        },
      ),
    );
  } else {
    const rate = ([from, to]: readonly [number, number]): number =>
      load.sent.filter((each) => each.kind === 'read' && isSuccess(each) && each.endedMs >= from && each.endedMs < to)
        .length /
      ((to - from) / 1000);
    const before = rate(calm);
    for (const { atMs, overMs } of happened) {
      const during = rate([atMs, overMs]);
      lines.push(
        line('reads a second while commits wait', during, '1/s', {
          ratio: during / before,
          budget: { of: 'ratio', least: 0.9 },
          note: `${before.toFixed(0)} before`,
        }),
      );
    }
  }
  return lines;
}

function isSuccess({ status }: Sent): boolean {
  return status >= 200 && status < 300;
}

function longestGap(successes: readonly Sent[]): number {
  const ends = successes.map(({ endedMs }) => endedMs).sort((a, b) => a - b);
  return ends.reduce((most, end, index) => Math.max(most, end - (ends[index - 1] ?? end)), 0);
}

function names(list: readonly Sent[]): string {
  return list
    .slice(0, 5)
    .map(({ identifier }) => identifier)
    .join(' ');
}

function describe(list: readonly Sent[]): string {
  const texts = list.map(({ kind, status, text }) => `${kind} ${status} ${text}`);
  return [...new Set(texts)].slice(0, 3).join('; ').replaceAll('\n', ' ');
}
