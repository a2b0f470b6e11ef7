import { azureSource } from '../../../src/modules/sources/git/azure.source-type.ts';
import type { SourceType } from '../../../src/modules/sources/source-type.ts';
import { OutgoingFailure } from '../../../src/platform/outgoing/outgoing.ts';
import { azureDelivery, azureRoutes } from './azure-activity-fake.ts';
import type { HostCase } from './host-case.ts';
import { forbidden, type HostReply, type HostRoute, notFound, strictHost } from './strict-host.ts';
import {
  author,
  cutPage,
  headUntil,
  latest,
  team,
  type World,
  type WorldCommit,
  type WorldRepository,
} from './world.ts';

const origin = 'https://dev.azure.test';
const url = `${origin}/org`;
const project = {
  id: '11111111-0000-4000-8000-000000000001',
  name: 'acme',
  state: 'wellFormed',
  visibility: 'private',
};
const projectPath = '/org/_apis/projects';
const hooksPath = '/org/_apis/hooks/subscriptions';
const list = '/org/:project/_apis/git/repositories';
const repo = `${list}/:name`;
const version = 'api-version';
const atCommit = ['versionDescriptor.versionType', 'versionDescriptor.version', version];

function idOf({ id }: WorldRepository): string {
  return `22222222-0000-4000-8000-${String(id).padStart(12, '0')}`;
}

function toRepository(repository: WorldRepository) {
  const { name, isArchived, isFork, commits } = repository;
  return {
    id: idOf(repository),
    name,
    url: `${url}/${project.id}/_apis/git/repositories/${idOf(repository)}`,
    project: { ...project, revision: 12, lastUpdateTime: '2026-11-01T00:00:00.000Z' },
    ...(commits.length === 0 ? {} : { defaultBranch: 'refs/heads/main' }),
    size: 2048,
    remoteUrl: `https://org@dev.azure.test/org/acme/_git/${name}`,
    webUrl: `${url}/acme/_git/${name}`,
    isDisabled: isArchived,
    ...(isFork ? { isFork: true } : {}),
  };
}

function toCommit({ sha, at }: WorldCommit) {
  return { commitId: sha, author: { ...author, date: at }, committer: { ...author, date: at }, comment: 'one' };
}

function valuesOf(value: readonly unknown[]): HostReply {
  return { json: { count: value.length, value } };
}

function routes(world: World): HostRoute[] {
  const find = (name = '') =>
    // one that is switched off answers as if it were not there
    world.repositories.find((each) => !each.isArchived && (each.name === name || idOf(each) === name));
  const commitIn = (name = '', sha = '') => find(name)?.commits.find((each) => each.sha === sha);
  const hookOf = (id: string, body: unknown): HostReply => {
    world.hooks.set(id, body);
    return { json: { ...(body as object), id } };
  };
  return [
    ['GET', `${projectPath}`, ['stateFilter', '$top', 'continuationToken', version], () => valuesOf([project])],
    [
      'GET',
      `${projectPath}/:name`,
      [version],
      ({ params }) => (params['name'] === 'acme' ? { json: project } : notFound),
    ],
    ['GET', list, [version], () => valuesOf(world.repositories.map(toRepository).toReversed())],
    [
      'GET',
      repo,
      [version],
      ({ params }) => {
        const found = find(params['name']);
        return found ? { json: toRepository(found) } : notFound;
      },
    ],
    [
      'GET',
      `${repo}/pushes`,
      ['searchCriteria.fromDate', '$top', version],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found) return notFound;
        const since = Date.parse(query['searchCriteria.fromDate'] ?? '');
        return valuesOf(found.commits.filter(({ at }) => Date.parse(at) >= since).map((_, pushId) => ({ pushId })));
      },
    ],
    [
      'GET',
      `${repo}/commits`,
      [
        'searchCriteria.itemVersion.versionType',
        'searchCriteria.itemVersion.version',
        'searchCriteria.toDate',
        'searchCriteria.$top',
        version,
      ],
      ({ params, query }) => {
        const found = find(params['name']);
        if (!found || query['searchCriteria.itemVersion.version'] !== 'main') return notFound;
        const until = query['searchCriteria.toDate'];
        const head = until === undefined ? latest(found) : headUntil(found, until);
        return valuesOf(head ? [toCommit(head)] : []);
      },
    ],
    [
      'GET',
      `${repo}/items`,
      ['scopePath', 'recursionLevel', 'path', 'includeContent', '$format', ...atCommit],
      ({ params, query }) => {
        const commit = commitIn(params['name'], query['versionDescriptor.version']);
        if (!commit) return notFound;
        const { path, recursionLevel } = query;
        if (path !== undefined) {
          const content = commit.files[path.slice(1)];
          return content === undefined ? notFound : { json: { objectId: path, gitObjectType: 'blob', path, content } };
        }
        if (world.isTreeCut && recursionLevel === 'Full') throw new OutgoingFailure('too_large', 'more than 32 MiB');
        const files = Object.keys(commit.files).filter((file) => recursionLevel === 'Full' || !file.includes('/'));
        const tree = ['/', '/deep'].map((folder) => ({ objectId: folder, gitObjectType: 'tree', path: folder }));
        return valuesOf([
          ...tree,
          ...files.map((file) => ({ objectId: file, gitObjectType: 'blob', path: `/${file}` })),
        ]);
      },
    ],
    [
      'GET',
      `${projectPath}/:id/teams`,
      ['$top', '$skip', version],
      ({ query }) => valuesOf(query['$skip'] === '0' ? [{ id: String(team.id), name: team.name }] : []),
    ],
    [
      'GET',
      `${projectPath}/:id/teams/:team/members`,
      ['$top', '$skip', version],
      ({ query }) => {
        const people = [{ identity: { displayName: author.name, uniqueName: team.member } }];
        return valuesOf(cutPage(people, Number(query['$skip']) + 1, 1).items);
      },
    ],
    [
      'GET',
      hooksPath,
      ['publisherId', 'consumerId', version],
      () =>
        world.mayMakeHooks ? valuesOf([...world.hooks].map(([id, hook]) => ({ ...(hook as object), id }))) : forbidden,
    ],
    ['POST', hooksPath, [version], ({ body }) => hookOf(`hook-${world.hooks.size + 1}`, body)],
    ['PUT', `${hooksPath}/:id`, [version], ({ params, body }) => hookOf(params['id'] ?? '', body)],
    ...azureRoutes({ world, project, repo, find, idOf }),
  ];
}

export const azureCase: HostCase = {
  type: azureSource as unknown as SourceType,
  settings: { url },
  secrets: { token: 'azpat-1' },
  codeowners: '* @acme/payments',
  fetch: (world) =>
    strictHost({
      origin,
      authorization: `Basic ${Buffer.from(':azpat-1').toString('base64')}`,
      routes: routes(world),
    }),
  keyOf: (repository) => `dev.azure.test#${idOf(repository)}`,
  isAbout: ({ name }, { pathname }) => pathname.startsWith(`/org/acme/_apis/git/repositories/${name}/`),
  push: (repository, branch, before) => ({
    headers: {},
    body: {
      subscriptionId: '33333333-0000-4000-8000-000000000001',
      notificationId: 1,
      id: '44444444-0000-4000-8000-000000000001',
      eventType: 'git.push',
      publisherId: 'tfs',
      resource: {
        commits: [],
        refUpdates: [{ name: `refs/heads/${branch}`, oldObjectId: before, newObjectId: 'f'.repeat(40) }],
        repository: {
          id: idOf(repository),
          name: repository.name,
          project: { id: project.id, name: project.name },
          defaultBranch: 'refs/heads/main',
        },
        pushId: 2,
      },
      resourceVersion: '1.0',
    },
  }),
  about: (repository, kind, id) => azureDelivery({ idOf, project }, repository, kind, id),
  releaseId: ({ tag }) => tag,
  lacks: {
    release: 'What Azure DevOps calls releases are deployments',
    updatedAt: 'Pull requests tell when they were opened and closed',
  },
  prove: (_bytes, secret) => ({ authorization: `Basic ${Buffer.from(`portolan:${secret}`).toString('base64')}` }),
};
