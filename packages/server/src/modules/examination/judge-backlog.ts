import type { InstallationCheck } from '@portolan/contract/operator';
import type { Backlog } from '../backlogs/index.ts';

/** Seconds after which what waits is late. */
const lateAfter = { job: 300, event: 900 } as const;
/** So many are counted at most. */
const marksMax = 10_000;

/** What failed for good, what is late, and which sources and receivers fail. */
export function judgeBacklog(backlog: Backlog): InstallationCheck[] {
  return [judgeJobs(backlog), judgeEvents(backlog), judgeMarks(backlog), judgeSources(backlog)].flat();
}

function judgeJobs({ jobs, age }: Backlog): InstallationCheck[] {
  const late = jobs.filter(({ state, oldest }) => state === 'due' && age(oldest) > lateAfter.job);
  const dead = jobs.filter(({ state }) => state === 'dead');
  const found: InstallationCheck[] = [
    ...late.map(({ name, count, oldest }) => {
      const message = `${count} of "${name}" are due, the oldest since ${minutes(age(oldest))}. Workers are too few, or hang.`;
      return { name: 'jobs', status: 'failed', code: 'jobs_late', message } as const;
    }),
    ...dead.map(({ name, count }) => {
      const message = `${count} of "${name}" failed for good. Their last error is in the table jobs, column last_error.`;
      return { name: 'jobs', status: 'warning', code: 'jobs_dead', message } as const;
    }),
  ];
  return found.length > 0 ? found : [{ name: 'jobs', status: 'ok', message: 'none is late, and none failed for good' }];
}

function judgeEvents({ deliveries, receivers, webhooks, age }: Backlog): InstallationCheck[] {
  const found: InstallationCheck[] = deliveries
    .filter(({ oldest }) => age(oldest) > lateAfter.event)
    .map(({ consumer, count, oldest }) => {
      const message = `${count} wait for ${consumer}, the oldest since ${minutes(age(oldest))}.`;
      return { name: 'events', status: 'warning', code: 'events_late', message };
    });
  if (age(webhooks.oldest) > lateAfter.event) {
    const message = `${webhooks.count} events of webhooks wait for their mapping, the oldest since ${minutes(age(webhooks.oldest))}.`;
    found.push({ name: 'events', status: 'warning', code: 'events_late', message });
  }
  if (receivers.failing > 0) {
    const message = `${receivers.failing} of ${receivers.all} receivers of the changelog fail, the longest for ${minutes(age(receivers.since))}.`;
    found.push({ name: 'events', status: 'warning', code: 'receivers_failing', message });
  }
  return found.length > 0 ? found : [{ name: 'events', status: 'ok', message: 'all are reacted to in time' }];
}

function judgeMarks({ marks: { derived, ruleResults } }: Backlog): InstallationCheck[] {
  const waiting = derived + ruleResults;
  if (derived < marksMax && ruleResults < marksMax) {
    const message = waiting === 0 ? 'all values are computed' : `${waiting} values wait to be computed again`;
    return [{ name: 'derived', status: 'ok', message }];
  }
  const message = `${marksMax.toLocaleString('en-US')} values or more wait to be computed again. If the number stays, look at the jobs.`;
  return [{ name: 'derived', status: 'warning', code: 'derived_late', message }];
}

function judgeSources({ sources }: Backlog): InstallationCheck[] {
  const failing = sources.filter((each) => each.failing > 0);
  if (failing.length === 0) {
    const all = sources.reduce((sum, each) => sum + each.working + each.paused, 0);
    return [{ name: 'sources', status: 'ok', message: all === 0 ? 'there are none' : 'none fails' }];
  }
  return failing.map(({ type, failing: count }) => ({
    name: 'sources',
    status: 'warning',
    code: 'sources_failing',
    message: `${count} of the type "${type}" ${count === 1 ? 'has' : 'have'} a problem, which the page of the source says.`,
  }));
}

function minutes(seconds: number): string {
  const whole = Math.round(seconds / 60);
  return whole < 120 ? `${whole} minutes` : `${Math.round(whole / 60)} hours`;
}
