import type { ActivityKind } from '../../../src/modules/sources/git/git-host.ts';
import type { Delivery } from './host-case.ts';
import { type HostReply, type HostRoute, notFound } from './strict-host.ts';
import {
  author,
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

/** A page as the host gives it: those of it, and the headers that name the next. */
type Paged = (
  items: readonly unknown[],
  query: Readonly<Record<string, string>>,
  path: string,
) => { readonly items: readonly unknown[]; readonly headers: Readonly<Record<string, string>> };

interface ActionsHost {
  readonly repo: string;
  readonly web: string;
  /** How many on a page: `limit`. */
  readonly size: string;
  readonly order: readonly string[];
  readonly paged: Paged;
}

const user = { login: team.member };

function toPull(web: string, { name }: WorldRepository, pull: WorldPull) {
  const closedAt = pull.state === 'open' ? null : pull.changedAt;
  return {
    number: pull.number,
    title: `Change ${pull.number}`,
    state: pull.word ?? (pull.state === 'open' ? 'open' : 'closed'),
    merged: pull.state === 'merged',
    merged_at: pull.state === 'merged' ? closedAt : null,
    draft: false,
    created_at: pull.openedAt,
    updated_at: pull.changedAt,
    closed_at: closedAt,
    html_url: `${web}/acme/${name}/pull/${pull.number}`,
    user,
    requested_reviewers: [{ login: reviewer }],
    labels: [{ id: 1, name: label }],
    base: { ref: 'main' },
    head: { ref: `topic-${pull.number}`, sha: runCommit },
  };
}

function toRun(web: string, { name }: WorldRepository, run: WorldRun) {
  const isOver = run.status !== 'running';
  return {
    id: run.number,
    run_number: run.number,
    name: 'CI',
    display_title: `Run ${run.number}`,
    status: isOver ? 'completed' : 'in_progress',
    conclusion: run.word ?? (isOver ? run.status : null),
    event: 'push',
    head_branch: 'main',
    head_sha: runCommit,
    html_url: `${web}/acme/${name}/actions/runs/${run.number}`,
    actor: user,
    run_started_at: run.begunAt,
    updated_at: run.endedAt,
  };
}

function toRelease(web: string, { name }: WorldRepository, { id, tag, at }: WorldRelease) {
  return {
    id,
    tag_name: tag,
    name: '',
    body: `Notes of ${tag}`,
    draft: false,
    prerelease: false,
    html_url: `${web}/acme/${name}/releases/tag/${tag}`,
    author: user,
    created_at: at,
    published_at: at,
  };
}

/** Pull requests, runs and releases in the shapes that GitHub and Gitea share. */
export function actionsRoutes(world: World, { repo, web, size, order, paged }: ActionsHost): HostRoute[] {
  const find = (name = '') => world.repositories.find((each) => each.name === name);
  const one = <Item>(found: Item | undefined, show: (item: Item) => unknown): HostReply =>
    found ? { json: show(found) } : notFound;
  return [
    [
      'GET',
      `${repo}/pulls`,
      ['state', size, 'page', ...order],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const wanted = latestFirst(found.pulls).filter(({ state }) => query['state'] === 'all' || state === 'open');
        const { items, headers } = paged(
          wanted.map((each) => toPull(web, found, each)),
          query,
          `/repos/acme/${found.name}/pulls`,
        );
        return { json: items, headers };
      },
    ],
    [
      'GET',
      `${repo}/pulls/:id`,
      [],
      ({ params }) => {
        const found = find(params['name']);
        return one(
          found?.pulls.find(({ number }) => String(number) === params['id']),
          (pull) => found && toPull(web, found, pull),
        );
      },
    ],
    [
      'GET',
      `${repo}/actions/runs`,
      [size, 'page'],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const all = found.runs.toReversed().map((each) => toRun(web, found, each));
        const { items, headers } = paged(all, query, `/repos/acme/${found.name}/actions/runs`);
        return { json: { total_count: all.length, workflow_runs: items }, headers };
      },
    ],
    [
      'GET',
      `${repo}/actions/runs/:id`,
      [],
      ({ params }) => {
        const found = find(params['name']);
        return one(
          found?.runs.find(({ number }) => String(number) === params['id']),
          (run) => found && toRun(web, found, run),
        );
      },
    ],
    [
      'GET',
      `${repo}/releases`,
      [size, 'page'],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const all = found.releases.toReversed().map((each) => toRelease(web, found, each));
        const { items, headers } = paged(all, query, `/repos/acme/${found.name}/releases`);
        return { json: items, headers };
      },
    ],
    [
      'GET',
      `${repo}/releases/:id`,
      [],
      ({ params }) => {
        const found = find(params['name']);
        return one(
          found?.releases.find(({ id }) => String(id) === params['id']),
          (release) => found && toRelease(web, found, release),
        );
      },
    ],
  ];
}

/** What both send, under different names of the header. */
export function actionsDelivery(
  header: string,
  repository: unknown,
  kind: ActivityKind,
  id: string,
  isDeleted: boolean,
): Delivery {
  const number = Number(id);
  const sent = {
    'pull-request': ['pull_request', { pull_request: { number } }],
    'pipeline-run': ['workflow_run', { workflow_run: { id: number } }],
    release: ['release', { release: { id: number } }],
  } as const;
  const [name, about] = sent[kind];
  const body = { action: isDeleted ? 'deleted' : 'edited', ...about, repository, sender: { login: author.name } };
  return { headers: { [header]: name }, body: JSON.parse(JSON.stringify(body)) };
}
