import type { ActivityKind } from '../../../src/modules/sources/git/git-host.ts';
import type { Delivery } from './host-case.ts';
import { type HostReply, type HostRoute, linkTo, notFound } from './strict-host.ts';
import {
  activityPageMax,
  cutPage,
  label,
  latestFirst,
  reviewer,
  runCommit,
  team,
  type World,
  type WorldPull,
  type WorldRelease,
  type WorldRepository,
  type WorldRun,
} from './world.ts';

const pullWords = { open: 'opened', merged: 'merged', closed: 'closed' };
const runWords = { success: 'success', failure: 'failed', running: 'running' };

function toMergeRequest(origin: string, { id, name }: WorldRepository, pull: WorldPull) {
  return {
    id: id * 1000 + pull.number,
    iid: pull.number,
    project_id: id,
    title: `Change ${pull.number}`,
    state: pull.word ?? pullWords[pull.state],
    draft: false,
    web_url: `${origin}/acme/${name}/-/merge_requests/${pull.number}`,
    author: { id: 9, username: team.member },
    assignees: [],
    reviewers: [{ id: 10, username: reviewer }],
    labels: [label],
    target_branch: 'main',
    source_branch: `topic-${pull.number}`,
    sha: runCommit,
    created_at: pull.openedAt,
    updated_at: pull.changedAt,
    merged_at: pull.state === 'merged' ? pull.changedAt : null,
    closed_at: pull.state === 'closed' ? pull.changedAt : null,
    references: { full: `acme/${name}!${pull.number}` },
  };
}

function toPipeline(origin: string, { id, name }: WorldRepository, run: WorldRun) {
  return {
    id: run.number,
    iid: run.number,
    project_id: id,
    name: `Run ${run.number}`,
    status: run.word ?? runWords[run.status],
    source: 'push',
    ref: 'main',
    sha: runCommit,
    web_url: `${origin}/acme/${name}/-/pipelines/${run.number}`,
    created_at: run.begunAt,
    updated_at: run.endedAt,
  };
}

function toRelease(origin: string, { name }: WorldRepository, { tag, at }: WorldRelease) {
  return {
    tag_name: tag,
    name: tag,
    description: `Notes of ${tag}`,
    created_at: at,
    released_at: at,
    upcoming_release: false,
    author: { id: 9, username: team.member },
    commit: { id: runCommit },
    _links: { self: `${origin}/acme/${name}/-/releases/${tag}` },
  };
}

/** Merge requests, pipelines and releases as GitLab describes them. */
export function gitLabRoutes(
  world: World,
  origin: string,
  api: string,
  find: (id?: string) => WorldRepository | undefined,
): HostRoute[] {
  const project = `${api}/projects/:id`;
  const listed = (all: readonly unknown[], query: Readonly<Record<string, string>>, path: string): HostReply => {
    const page = Number(query['page']);
    const { items, isLast } = cutPage(all, page, Math.min(Number(query['per_page']), activityPageMax));
    return { json: items, headers: linkTo(isLast ? undefined : `${origin}${api}/${path}?page=${page + 1}`) };
  };
  const paging = ['order_by', 'sort', 'per_page', 'page'];
  const ofProject = (
    list: string,
    queries: readonly string[],
    answer: (found: WorldRepository, query: Readonly<Record<string, string>>) => readonly unknown[],
  ): HostRoute => [
    'GET',
    `${project}/${list}`,
    [...queries, ...paging],
    ({ params, query }) => {
      const found = find(params['id']);
      return found ? listed(answer(found, query), query, `projects/${found.id}/${list}`) : notFound;
    },
  ];
  const single = (list: string, read: (found: WorldRepository, id: string) => unknown): HostRoute => [
    'GET',
    `${project}/${list}/:each`,
    [],
    ({ params }) => {
      const found = find(params['id']);
      const json = found && read(found, params['each'] ?? '');
      return json === undefined ? notFound : { json };
    },
  ];
  return [
    ofProject('merge_requests', ['state', 'scope', 'updated_after'], (found, { state, updated_after: since }) =>
      latestFirst(found.pulls)
        .filter((pull) => state === 'all' || pull.state === 'open')
        .filter(({ changedAt }) => since === undefined || Date.parse(changedAt) >= Date.parse(since))
        .map((pull) => toMergeRequest(origin, found, pull)),
    ),
    ofProject('pipelines', [], (found) => found.runs.toReversed().map((run) => toPipeline(origin, found, run))),
    ofProject('releases', [], (found) =>
      found.releases.toReversed().map((release) => toRelease(origin, found, release)),
    ),
    single('merge_requests', (found, id) => {
      const pull = found.pulls.find(({ number }) => String(number) === id);
      return pull && toMergeRequest(origin, found, pull);
    }),
    single('pipelines', (found, id) => {
      const run = found.runs.find(({ number }) => String(number) === id);
      // more than lists tell
      return (
        run && { ...toPipeline(origin, found, run), started_at: run.begunAt, duration: 42, user: { username: 'x' } }
      );
    }),
    single('releases', (found, id) => {
      const release = found.releases.find(({ tag }) => tag === id);
      return release && toRelease(origin, found, release);
    }),
    [
      'GET',
      `${api}/groups/:id/merge_requests`,
      ['state', 'scope', 'updated_after', ...paging],
      ({ params, query }) => {
        const since = Date.parse(query['updated_after'] ?? '');
        const all = world.repositories.flatMap((found) =>
          latestFirst(found.pulls)
            .filter(({ changedAt }) => Date.parse(changedAt) >= since)
            .map((pull) => toMergeRequest(origin, found, pull)),
        );
        return listed(all, query, `groups/${params['id']}/merge_requests`);
      },
    ],
  ];
}

export function gitLabDelivery(
  { id, name }: WorldRepository,
  kind: ActivityKind,
  of: string,
  isDeleted: boolean,
): Delivery {
  const project = { id, name, path_with_namespace: `acme/${name}`, default_branch: 'main' };
  const number = Number(of);
  if (kind === 'pull-request') {
    const body = {
      object_kind: 'merge_request',
      project,
      object_attributes: { id: 99, iid: number, action: 'update' },
    };
    return { headers: { 'x-gitlab-event': 'Merge Request Hook' }, body };
  }
  if (kind === 'pipeline-run') {
    const body = { object_kind: 'pipeline', project, object_attributes: { id: number, iid: 1, status: 'success' } };
    return { headers: { 'x-gitlab-event': 'Pipeline Hook' }, body };
  }
  const body = { object_kind: 'release', id: 1, tag: of, action: isDeleted ? 'delete' : 'update', project };
  return { headers: { 'x-gitlab-event': 'Release Hook' }, body };
}
