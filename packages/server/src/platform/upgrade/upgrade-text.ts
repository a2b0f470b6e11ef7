import { spaceText } from './judge-space.ts';
import type { UpgradePlan } from './plan-upgrade.ts';
import type { RehearsedMigration } from './rehearse-upgrade.ts';

/** A plan in lines for people. */
export function planText(plan: UpgradePlan): string {
  const { release, running, database, pending, space, verdict, reasons, warnings } = plan;
  const expands = pending.filter(({ phase }) => phase === 'expand');
  const contracts = pending.filter(({ phase }) => phase === 'contract');
  const waiting = contracts.map(({ name, waitsFor }) => `${name} waits for the last ${waitsFor}`);
  const locks = pending.flatMap(({ name, locks: each }) =>
    each.map(({ table, keepsOut }) => `${name} keeps ${keepsOut} out of ${table}`),
  );
  const lines: [string, readonly string[]][] = [
    ['running', [`${runningText(running)}, PostgreSQL ${database.version}, ${database.migrations} migrations`]],
    ['new', [`${release}: ${expands.length} to expand, ${contracts.length} to contract`, ...waiting]],
    ['locks', locks.length > 0 ? [...locks, 'each is tried for 2 s, ten times'] : ['none on tables that are in use']],
    ['space', spaceText(space)],
    ['look at', warnings],
    ['verdict', [verdictText(verdict, contracts.length), ...reasons]],
  ];
  return lines
    .flatMap(([name, texts]) => texts.map((text, index) => `${(index === 0 ? name : '').padEnd(12)}${text}\n`))
    .join('');
}

function runningText({ replicas, untold }: UpgradePlan['running']): string {
  if (untold) return 'replicas of a release that does not say which it is (they cannot start again on the new schema)';
  if (replicas.length === 0) return 'no replica';
  const releases = [...new Set(replicas.map((each) => each.release))];
  const counts = releases.map((each) => `${replicas.filter((replica) => replica.release === each).length} of ${each}`);
  return `${replicas.length === 1 ? '1 replica' : `${replicas.length} replicas`} (${counts.join(', ')})`;
}

function verdictText(verdict: UpgradePlan['verdict'], contracts: number): string {
  switch (verdict) {
    case 'rolling':
      return contracts === 0
        ? 'rolling: replace one replica after the other'
        : 'rolling: replace one replica after the other; going back is possible until "portolan upgrade finish"';
    case 'stop':
      return 'needs a stop';
    default:
      return 'refused';
  }
}

/** What was rehearsed, a line for each migration. */
export function rehearsalText(rehearsed: readonly RehearsedMigration[]): string {
  if (rehearsed.length === 0) return 'Every migration is applied already.\n';
  const width = Math.max(...rehearsed.map(({ name }) => name.length));
  const lines = rehearsed.map(({ name, ms, longestLock }) => {
    const lock = longestLock
      ? `${longestLock.mode} on ${longestLock.table} for ${longestLock.ms} ms`
      : 'no lock was seen';
    return `${name.padEnd(width)}  ${String(ms).padStart(7)} ms  ${lock}\n`;
  });
  const total = rehearsed.reduce((sum, { ms }) => sum + ms, 0);
  return `${lines.join('')}${'in all'.padEnd(width)}  ${String(total).padStart(7)} ms\n`;
}
