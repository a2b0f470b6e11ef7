import { expect, test } from 'vitest';
import { activityParts } from '../activity/activity-parts.ts';
import * as words from './activity-words.ts';

const { translate, ...tables } = words;

/** Statuses that the blueprints know, and what the mapping makes of a run that waits. */
function statusesOf(kind: 'pullRequests' | 'pipelineRuns'): string[] {
  const [blueprint] = activityParts({ [kind]: true }).blueprints;
  return (blueprint as { schema: { properties: { status: { enum: string[] } } } }).schema.properties.status.enum;
}

test.each(Object.entries(tables))('%s has words of the neutral document only', (name, table) => {
  const pulls = statusesOf('pullRequests');
  const runs = [...statusesOf('pipelineRuns'), 'queued', 'cancelled', 'skipped'];
  const allowed = name.endsWith('PullWords') ? pulls : runs;
  expect(Object.values(table).filter((word) => !allowed.includes(word))).toEqual([]);
  // each is reached, but for those of hosts that say elsewhere what was merged, or have no word for what is skipped
  const reached = name.endsWith('PullWords') ? ['open', 'closed'] : ['success', 'failure', 'cancelled', 'running'];
  expect(Object.values(table)).toEqual(expect.arrayContaining(reached));
});

test('an unknown word, none, and names of every object are no words', () => {
  for (const said of ['pondered', '', undefined, null, 'constructor', 'toString']) {
    for (const table of Object.values(tables)) expect(translate<string>(table, said)).toBeNull();
  }
});

test.each([
  [words.gitLabRunWords, { success: 'success', failed: 'failure', canceled: 'cancelled', manual: 'queued' }],
  [words.gitLabPullWords, { opened: 'open', locked: 'open', merged: 'merged', closed: 'closed' }],
  [words.bitbucketRunWords, { SUCCESSFUL: 'success', ERROR: 'failure', STOPPED: 'cancelled', PAUSED: 'queued' }],
  [words.bitbucketPullWords, { OPEN: 'open', MERGED: 'merged', DECLINED: 'closed', SUPERSEDED: 'closed' }],
  [words.azureRunWords, { partiallySucceeded: 'success', failed: 'failure', notStarted: 'queued' }],
  [words.azurePullWords, { active: 'open', completed: 'merged', abandoned: 'closed' }],
  [words.actionsRunWords, { timed_out: 'failure', in_progress: 'running', waiting: 'queued', neutral: 'skipped' }],
])('words mean what hosts mean by them', (table, expected) => {
  for (const [said, meant] of Object.entries(expected)) expect(translate<string>(table, said)).toBe(meant);
});
