import type { ActivityKind } from '../../../src/modules/sources/git/git-host.ts';
import type { Delivery } from './host-case.ts';
import { type HostRoute, notFound } from './strict-host.ts';
import {
  activityPageMax,
  cutPage,
  latestFirst,
  reviewer,
  runCommit,
  team,
  type WorldPull,
  type WorldRepository,
  type WorldRun,
} from './world.ts';

const pullWords = { open: 'OPEN', merged: 'MERGED', closed: 'DECLINED' };
const results = { success: 'SUCCESSFUL', failure: 'FAILED' };
const web = 'https://bitbucket.org/acme';

function toPull({ name }: WorldRepository, pull: WorldPull, isWhole: boolean) {
  const { number, state } = pull;
  const branch = (branchName: string) => ({ branch: { name: branchName }, commit: { hash: runCommit } });
  return {
    type: 'pullrequest',
    id: number,
    title: `Change ${number}`,
    state: pull.word ?? pullWords[state],
    draft: false,
    author: { display_name: 'Ada', nickname: team.member },
    source: branch(`topic-${number}`),
    destination: branch('main'),
    created_on: pull.openedAt,
    // somebody wrote a comment later
    updated_on: pull.changedAt,
    links: { html: { href: `${web}/${name}/pull-requests/${number}` } },
    ...(isWhole ? { reviewers: [{ display_name: 'Grace', nickname: reviewer }] } : {}),
    ...(isWhole && state === 'merged' ? { merge_commit: { hash: runCommit, date: pull.changedAt } } : {}),
  };
}

function toPipeline(run: WorldRun) {
  const isOver = run.status !== 'running';
  const result = run.status === 'running' ? undefined : { name: run.word ?? results[run.status] };
  return {
    type: 'pipeline',
    uuid: `{00000000-0000-4000-9000-${String(run.number).padStart(12, '0')}}`,
    build_number: run.number,
    creator: { display_name: 'Ada', nickname: team.member },
    target: { type: 'pipeline_ref_target', ref_type: 'branch', ref_name: 'main', commit: { hash: runCommit } },
    trigger: { name: 'PUSH', type: 'pipeline_trigger_push' },
    state: isOver ? { name: 'COMPLETED', result } : { name: 'IN_PROGRESS', stage: { name: 'RUNNING' } },
    created_on: run.begunAt,
    ...(isOver ? { completed_on: run.endedAt } : {}),
    build_seconds_used: 3,
  };
}

/** Pull requests and pipelines as Bitbucket describes them. */
export function bitbucketRoutes(repo: string, find: (name?: string) => WorldRepository | undefined): HostRoute[] {
  return [
    [
      'GET',
      `${repo}/pullrequests`,
      ['state', 'sort', 'fields', 'pagelen', 'page'],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const states = (query['state'] ?? 'OPEN').split(',');
        const isWhole = query['fields'] === '+values.reviewers,+values.merge_commit.date';
        const shown = latestFirst(found.pulls).filter(({ state }) => states.includes(pullWords[state]));
        const page = Number(query['page']);
        const pagelen = Math.min(Number(query['pagelen']), activityPageMax);
        const { items, isLast } = cutPage(shown, page, pagelen);
        const next = isLast ? {} : { next: `https://api.bitbucket.org${repo}/pullrequests?page=${page + 1}` };
        const values = items.map((pull) => toPull(found, pull, isWhole));
        return { json: { size: shown.length, page, pagelen, values, ...next } };
      },
    ],
    [
      'GET',
      `${repo}/pullrequests/:id`,
      ['fields'],
      ({ params, query }) => {
        const found = find(params['name']);
        const pull = found?.pulls.find(({ number }) => String(number) === params['id']);
        return pull ? { json: toPull(found!, pull, query['fields'] === '+merge_commit.date') } : notFound;
      },
    ],
    [
      'GET',
      `${repo}/pipelines`,
      ['sort', 'pagelen', 'page'],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const page = Number(query['page']);
        const pagelen = Math.min(Number(query['pagelen']), activityPageMax);
        const { items } = cutPage(found.runs.toReversed().map(toPipeline), page, pagelen);
        // this list has no links to its next page
        return { json: { size: found.runs.length, page, pagelen, values: items } };
      },
    ],
  ];
}

export function bitbucketDelivery(
  uuid: string,
  { name }: WorldRepository,
  kind: ActivityKind,
  id: string,
): Delivery | undefined {
  const repository = { type: 'repository', uuid: `{${uuid}}`, full_name: `acme/${name}` };
  if (kind === 'release') return undefined;
  if (kind === 'pull-request') {
    const body = { repository, pullrequest: { type: 'pullrequest', id: Number(id), state: 'OPEN' } };
    return { headers: { 'x-event-key': 'pullrequest:updated' }, body };
  }
  const status = { type: 'build', state: 'SUCCESSFUL', key: '1', url: `${web}/${name}/pipelines/results/${id}` };
  return { headers: { 'x-event-key': 'repo:commit_status_updated' }, body: { repository, commit_status: status } };
}
