import { expect, test } from 'vitest';
import type { Backlog } from '../backlogs/index.ts';
import { judgeBacklog } from './judge-backlog.ts';
import { judgeBackups } from './judge-backups.ts';
import { judgeDisk } from './judge-disk.ts';
import { judgeOrganizations } from './judge-organizations.ts';
import { judgeReplicas } from './judge-replicas.ts';

const now = new Date('2030-01-02T12:00:00Z');
const before = (seconds: number): Date => new Date(now.getTime() - seconds * 1000);
const quiet: Backlog = {
  jobs: [],
  deliveries: [{ consumer: 'automations', count: 0, oldest: null }],
  receivers: { all: 1, failing: 0, since: null },
  marks: { derived: 0, ruleResults: 0 },
  sources: [{ type: 'github', working: 2, failing: 0, paused: 1, oldest: null }],
  webhooks: { count: 0, oldest: null },
  age: (since) => (since === null ? 0 : (now.getTime() - since.getTime()) / 1000),
};
const judged = (backlog: Partial<Backlog>) =>
  judgeBacklog({ ...quiet, ...backlog }).flatMap(({ name, status, code }) =>
    status === 'ok' ? [] : [`${name} ${status} ${code}`],
  );

test.each<[string, Partial<Backlog>, string[]]>([
  ['nothing while all is in time', {}, []],
  ['not a job that was just due', { jobs: [{ name: 'a', state: 'due', count: 1, oldest: before(200) }] }, []],
  [
    'a job that nobody takes, and one that failed for good',
    {
      jobs: [
        { name: 'a', state: 'due', count: 3, oldest: before(301) },
        { name: 'b', state: 'dead', count: 2, oldest: null },
      ],
    },
    ['jobs failed jobs_late', 'jobs warning jobs_dead'],
  ],
  [
    'events that nobody reacts to',
    { deliveries: [{ consumer: 'automations', count: 9, oldest: before(1000) }] },
    ['events warning events_late'],
  ],
  ['webhooks behind', { webhooks: { count: 9, oldest: before(1000) } }, ['events warning events_late']],
  [
    'receivers that fail',
    { receivers: { all: 2, failing: 1, since: before(60) } },
    ['events warning receivers_failing'],
  ],
  ['as many marks as are counted', { marks: { derived: 10_000, ruleResults: 0 } }, ['derived warning derived_late']],
  [
    'sources that fail',
    { sources: [{ type: 'github', working: 0, failing: 1, paused: 0, oldest: null }] },
    ['sources warning sources_failing'],
  ],
])('of the queues: %s', (_name, backlog, found) => expect(judged(backlog)).toEqual(found));

test('a frozen organization is named with the way out', () => {
  expect(judgeOrganizations([])).toEqual([{ name: 'organizations', status: 'ok', message: 'all take changes' }]);
  expect(judgeOrganizations([{ id: 'org_1', name: 'Acme', frozenAt: now }])).toMatchObject([
    { status: 'warning', code: 'organization_frozen', message: expect.stringContaining('portolan org thaw org_1') },
  ]);
});

const replica = (release: string) => ({
  id: 'r',
  release,
  role: 'all',
  address: 'a',
  secondsAgo: 1,
  isDraining: false,
});
test('replicas of two releases are an upgrade that is not done', () => {
  expect(judgeReplicas([replica('1.0.0'), replica('1.0.0')])).toMatchObject({ status: 'ok', message: '2 of 1.0.0' });
  expect(judgeReplicas([replica('1.0.0'), replica('1.1.0')])).toMatchObject({ code: 'mixed_releases' });
});

test.each([
  ['none planned on a server', { kind: 'unplanned' }, 'postgres', 'ok'],
  ['none planned beside a folder', { kind: 'unplanned' }, 'embedded', 'warning'],
  ['none taken yet', { kind: 'planned', newest: undefined, due: now }, 'embedded', 'warning'],
  ['one in time', { kind: 'planned', newest: before(60), due: before(3600) }, 'embedded', 'ok'],
  ['one being taken', { kind: 'planned', newest: before(90_000), due: before(3600) }, 'embedded', 'ok'],
  ['one missed', { kind: 'planned', newest: before(90_000), due: before(8000) }, 'embedded', 'failed'],
] as const)('backups: %s', (_name, state, kind, status) => expect(judgeBackups(state, kind, now).status).toBe(status));

test.each([
  [400, 'failed'],
  [5_000, 'warning'],
  [50_000, 'ok'],
] as const)('%s MB free of 100 GB', (free, status) => {
  expect(judgeDisk({ freeBytes: free * 2 ** 20, totalBytes: 100 * 2 ** 30 }).status).toBe(status);
});
