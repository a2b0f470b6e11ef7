import type { ActivityKind } from '../../../src/modules/sources/git/git-host.ts';
import type { Delivery } from './host-case.ts';
import { type HostReply, type HostRoute, notFound } from './strict-host.ts';
import {
  activityPageMax,
  label,
  reviewer,
  runCommit,
  team,
  type World,
  type WorldPull,
  type WorldRepository,
  type WorldRun,
} from './world.ts';

const pullWords = { open: 'active', merged: 'completed', closed: 'abandoned' };
const results = { success: 'succeeded', failure: 'failed' };
const version = 'api-version';

interface AzureWorld {
  readonly world: World;
  readonly project: { readonly id: string; readonly name: string };
  /** With `:name` for a repository. */
  readonly repo: string;
  find(name?: string): WorldRepository | undefined;
  idOf(repository: WorldRepository): string;
}

const person = { displayName: 'Ada', uniqueName: team.member };

function toPull({ idOf, project }: AzureWorld, repository: WorldRepository, pull: WorldPull) {
  return {
    repository: { id: idOf(repository), name: repository.name, project },
    pullRequestId: pull.number,
    title: `Change ${pull.number}`,
    status: pull.word ?? pullWords[pull.state],
    isDraft: false,
    createdBy: person,
    reviewers: [{ displayName: 'Grace', uniqueName: reviewer, vote: 0 }],
    sourceRefName: `refs/heads/topic-${pull.number}`,
    targetRefName: 'refs/heads/main',
    lastMergeSourceCommit: { commitId: runCommit },
    creationDate: pull.openedAt,
    ...(pull.state === 'open' ? {} : { closedDate: pull.changedAt }),
  };
}

const listedLabels = { labels: [{ id: '1', name: label, active: true }] };

function toBuild({ idOf, project }: AzureWorld, repository: WorldRepository, run: WorldRun) {
  const isOver = run.status !== 'running';
  return {
    id: run.number,
    buildNumber: `20261101.${run.number}`,
    status: isOver ? 'completed' : 'inProgress',
    ...(run.status === 'running' ? {} : { result: run.word ?? results[run.status], finishTime: run.endedAt }),
    reason: 'individualCI',
    sourceBranch: 'refs/heads/main',
    sourceVersion: runCommit,
    definition: { id: 1, name: 'CI' },
    requestedFor: person,
    queueTime: run.begunAt,
    startTime: run.begunAt,
    project,
    repository: { id: idOf(repository), type: 'TfsGit' },
    _links: { web: { href: `https://dev.azure.test/org/acme/_build/results?buildId=${run.number}` } },
  };
}

/** Pull requests and builds as Azure DevOps describes them. */
export function azureRoutes(azure: AzureWorld): HostRoute[] {
  const { world, repo, find, idOf, project } = azure;
  const newest = (pulls: readonly WorldPull[]) => pulls.toSorted((one, other) => other.number - one.number);
  const isIn =
    (status = '') =>
    (pull: WorldPull) =>
      status === 'all' || pullWords[pull.state] === status;
  const valuesFrom = (all: readonly unknown[], query: Readonly<Record<string, string>>): HostReply => {
    const skip = Number(query['$skip']);
    const value = all.slice(skip, skip + Math.min(Number(query['$top']), activityPageMax));
    return { json: { count: value.length, value } };
  };
  const isHere = (name = '') => name === project.id || name === project.name;
  const builds = '/org/:project/_apis/build/builds';
  return [
    [
      'GET',
      `${repo}/pullrequests`,
      ['searchCriteria.status', '$top', '$skip', version],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const shown = newest(found.pulls).filter(isIn(query['searchCriteria.status']));
        return valuesFrom(
          shown.map((pull) => ({ ...toPull(azure, found, pull), ...listedLabels })),
          query,
        );
      },
    ],
    [
      'GET',
      `${repo}/pullrequests/:id`,
      [version],
      ({ params }) => {
        const found = find(params['name']);
        const pull = found?.pulls.find(({ number }) => String(number) === params['id']);
        // without its labels
        return pull ? { json: toPull(azure, found!, pull) } : notFound;
      },
    ],
    ['GET', `${repo}/pullrequests/:id/labels`, [version], () => ({ json: { count: 1, value: listedLabels.labels } })],
    [
      'GET',
      '/org/:project/_apis/git/pullrequests',
      [
        'searchCriteria.status',
        'searchCriteria.queryTimeRangeType',
        'searchCriteria.minTime',
        '$top',
        '$skip',
        version,
      ],
      ({ params, query }) => {
        if (!isHere(params['project'])) return notFound;
        const since = Date.parse(query['searchCriteria.minTime'] ?? '');
        const by = query['searchCriteria.queryTimeRangeType'] === 'closed' ? 'changedAt' : 'openedAt';
        const all = world.repositories.flatMap((found) =>
          newest(found.pulls)
            .filter(isIn(query['searchCriteria.status']))
            .filter((pull) => (by === 'openedAt' || pull.state !== 'open') && Date.parse(pull[by]) >= since)
            .map((pull) => toPull(azure, found, pull)),
        );
        return valuesFrom(all, query);
      },
    ],
    [
      'GET',
      builds,
      ['repositoryId', 'repositoryType', 'queryOrder', '$top', 'continuationToken', version],
      ({ query }) => {
        const found = world.repositories.find((each) => idOf(each) === query['repositoryId']);
        if (!found || query['repositoryType'] !== 'TfsGit') return { json: { count: 0, value: [] } };
        const from = Number(query['continuationToken'] ?? 0);
        const all = found.runs.toReversed().map((run) => toBuild(azure, found, run));
        const to = from + Math.min(Number(query['$top']), activityPageMax);
        const headers = to < all.length ? { 'x-ms-continuationtoken': String(to) } : {};
        return { json: { value: all.slice(from, to) }, headers };
      },
    ],
    [
      'GET',
      `${builds}/:id`,
      [version],
      ({ params }) => {
        const found = world.repositories.find((each) => each.runs.some((run) => String(run.number) === params['id']));
        const run = found?.runs.find(({ number }) => String(number) === params['id']);
        return run ? { json: toBuild(azure, found!, run) } : notFound;
      },
    ],
  ];
}

export function azureDelivery(
  { idOf, project }: Pick<AzureWorld, 'idOf' | 'project'>,
  repository: WorldRepository,
  kind: ActivityKind,
  id: string,
): Delivery | undefined {
  const containers = { collection: { id: 'c' }, project: { id: project.id } };
  const about = (eventType: string, resource: Record<string, unknown>): Delivery => ({
    headers: {},
    body: JSON.parse(JSON.stringify({ eventType, publisherId: 'tfs', resource, resourceContainers: containers })),
  });
  if (kind === 'release') return undefined;
  if (kind === 'pipeline-run') return about('build.complete', { id: Number(id), status: 'succeeded' });
  const within = { id: idOf(repository), name: repository.name, project: { id: project.id, name: project.name } };
  return about('git.pullrequest.updated', { pullRequestId: Number(id), repository: within });
}
