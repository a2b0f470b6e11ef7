import { gitLabSource } from '../../../src/modules/sources/git/gitlab.source-type.ts';
import type { SourceType } from '../../../src/modules/sources/source-type.ts';
import { gitLabDelivery, gitLabRoutes } from './gitlab-activity-fake.ts';
import type { HostCase } from './host-case.ts';
import { forbidden, type HostRoute, linkTo, notFound, strictHost } from './strict-host.ts';
import {
  author,
  changedAt,
  cutPage,
  headUntil,
  latest,
  team,
  type World,
  type WorldCommit,
  type WorldRepository,
} from './world.ts';

const origin = 'https://gitlab.acme.test';
const api = '/api/v4';
const project = `${api}/projects/:id`;
const acme = { id: 1, name: 'Acme', path: 'acme', full_path: 'acme', parent_id: null };
const groups = [acme, { id: team.id, name: team.name, path: team.slug, full_path: 'acme/payments', parent_id: 1 }];

function toProject(repository: WorldRepository) {
  const { id, name, isArchived, isFork, commits } = repository;
  return {
    id,
    name,
    path: name,
    path_with_namespace: `acme/${name}`,
    namespace: { id: 1, name: 'Acme', path: 'acme', kind: 'group', full_path: 'acme' },
    default_branch: 'main',
    empty_repo: commits.length === 0,
    repository_access_level: 'enabled',
    archived: isArchived,
    topics: ['pay'],
    visibility: 'private',
    web_url: `${origin}/acme/${name}`,
    http_url_to_repo: `${origin}/acme/${name}.git`,
    created_at: '2026-01-01T00:00:00.000Z',
    last_activity_at: changedAt(repository),
    star_count: 0,
    runners_token: 'GR-never-shown',
    ...(isFork ? { forked_from_project: { id: 99, path_with_namespace: 'other/origin' } } : {}),
  };
}

function toCommit({ sha, at }: WorldCommit) {
  const { name, email } = author;
  return {
    id: sha,
    short_id: sha.slice(0, 8),
    title: 'one',
    message: 'one\ntwo',
    author_name: name,
    author_email: email,
    committed_date: at,
  };
}

function routes(world: World): HostRoute[] {
  const find = (id = '') => world.repositories.find((each) => String(each.id) === id || `acme/${each.name}` === id);
  const commitIn = (id = '', sha = '') => find(id)?.commits.find((each) => each.sha === sha);
  const paged = <Item>(all: readonly Item[], query: Readonly<Record<string, string>>, path: string) => {
    const size = Number(query['per_page'] ?? 20);
    const page = Number(query['page'] ?? 1);
    const { items, isLast } = cutPage(all, page, size);
    const next = isLast ? undefined : `${origin}${path}?page=${page + 1}&per_page=${size}`;
    return { json: items, headers: { 'x-total': String(all.length), ...linkTo(next) } };
  };
  const hookOf = (id: string, body: unknown) => {
    world.hooks.set(id, body);
    return { status: 201, json: { id: Number(id), ...(body as object) } };
  };
  return [
    ['GET', `${api}/version`, [], () => ({ json: { version: '18.4.0', revision: 'abc' } })],
    [
      'GET',
      `${api}/personal_access_tokens/self`,
      [],
      () => ({ json: { id: 1, scopes: ['read_api'], active: true, expires_at: '2027-11-01' } }),
    ],
    [
      'GET',
      `${api}/groups/:id`,
      ['with_projects'],
      ({ params }) => {
        const found = groups.find(({ id, full_path: path }) => String(id) === params['id'] || path === params['id']);
        return found ? { json: found } : notFound;
      },
    ],
    ['GET', `${api}/users`, ['username'], () => ({ json: [] })],
    [
      'GET',
      `${api}/groups/:id/projects`,
      ['include_subgroups', 'with_shared', 'order_by', 'sort', 'per_page', 'page'],
      ({ params, query }) => {
        const byId = world.repositories.toSorted((one, other) => one.id - other.id);
        const byChange = byId.toSorted((one, other) => changedAt(other).localeCompare(changedAt(one)));
        const sorted = query['order_by'] === 'id' && query['sort'] === 'asc' ? byId : byChange;
        return paged(sorted.map(toProject), query, `${api}/groups/${params['id']}/projects`);
      },
    ],
    [
      'GET',
      `${api}/groups/:id/descendant_groups`,
      ['per_page', 'page'],
      ({ query }) => paged(groups.slice(1), query, `${api}/groups/1/descendant_groups`),
    ],
    [
      'GET',
      `${api}/groups/:id/members`,
      ['per_page', 'page'],
      ({ params, query }) => {
        const bot = { id: 8, username: 'group_1_bot_abc', name: 'token', state: 'active' };
        const person = { id: 9, username: team.member, name: author.name, state: 'active', access_level: 30 };
        return paged([bot, person], query, `${api}/groups/${params['id']}/members`);
      },
    ],
    [
      'GET',
      `${api}/groups/:id/hooks`,
      ['per_page'],
      () =>
        world.mayMakeHooks
          ? { json: [...world.hooks].map(([id, hook]) => ({ id: Number(id), ...(hook as object) })) }
          : forbidden,
    ],
    ['POST', `${api}/groups/:id/hooks`, [], ({ body }) => hookOf(String(world.hooks.size + 1), body)],
    ['PUT', `${api}/groups/:id/hooks/:hook`, [], ({ params, body }) => hookOf(params['hook'] ?? '', body)],
    [
      'GET',
      project,
      [],
      ({ params }) => {
        const found = find(params['id']);
        return found ? { json: toProject(found) } : notFound;
      },
    ],
    [
      'GET',
      `${project}/repository/branches/:branch`,
      [],
      ({ params }) => {
        const found = find(params['id']);
        const head = found && latest(found);
        return head && params['branch'] === 'main' ? { json: { name: 'main', commit: toCommit(head) } } : notFound;
      },
    ],
    ['GET', `${project}/languages`, [], () => ({ json: { Go: 75, Shell: 25 } })],
    [
      'GET',
      `${project}/repository/tree`,
      ['ref', 'recursive', 'pagination', 'per_page', 'page_token'],
      ({ params, query }) => {
        const files = Object.keys(commitIn(params['id'], query['ref'])?.files ?? {});
        const listed = query['recursive'] === 'true' ? files : files.filter((path) => !path.includes('/'));
        // two to a page, so that every tree has several; a cut one never ends
        const from = world.isTreeCut && query['recursive'] === 'true' ? 0 : Number(query['page_token'] ?? 0);
        const some = listed
          .slice(from, from + 2)
          .map((path) => ({ id: path, name: path, type: 'blob', path, mode: '100644' }));
        const folder = { id: 'deep', name: 'deep', type: 'tree', path: 'deep', mode: '040000' };
        const isMore = world.isTreeCut ? query['recursive'] === 'true' : from + 2 < listed.length;
        const next = isMore ? `${origin}${api}/x?page_token=${from + 2}&per_page=100` : undefined;
        return { json: from === 0 ? [folder, ...some] : some, headers: linkTo(next) };
      },
    ],
    [
      'GET',
      `${project}/repository/files/:path/raw`,
      ['ref'],
      ({ params, query }) => {
        const text = commitIn(params['id'], query['ref'])?.files[params['path'] ?? ''];
        return text === undefined ? notFound : { text };
      },
    ],
    [
      'GET',
      `${project}/repository/commits`,
      ['ref_name', 'until', 'per_page'],
      ({ params, query }) => {
        const found = find(params['id']);
        const head = found && headUntil(found, query['until'] ?? '');
        return { json: head ? [toCommit(head)] : [] };
      },
    ],
    ...gitLabRoutes(world, origin, api, find),
  ];
}

export const gitLabCase: HostCase = {
  type: gitLabSource as unknown as SourceType,
  settings: { url: origin },
  secrets: { token: 'glpat-1' },
  codeowners: '* @acme/payments',
  fetch: (world) => strictHost({ origin, authorization: 'Bearer glpat-1', routes: routes(world) }),
  keyOf: ({ id }) => `gitlab.acme.test#${id}`,
  isAbout: ({ name }, url) => url.pathname.startsWith(`${api}/projects/acme%2F${name}/`),
  push: ({ id, name }, branch, before) => ({
    headers: { 'x-gitlab-event': 'Push Hook' },
    body: {
      object_kind: 'push',
      event_name: 'push',
      ref: `refs/heads/${branch}`,
      before,
      after: 'f'.repeat(40),
      project_id: id,
      project: { id, name, path_with_namespace: `acme/${name}`, default_branch: 'main' },
    },
  }),
  about: gitLabDelivery,
  releaseId: ({ tag }) => tag,
  prove: (_bytes, secret) => ({ 'x-gitlab-token': secret }),
};
