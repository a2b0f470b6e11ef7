import { createHmac } from 'node:crypto';
import { gitHubSource } from '../../../src/modules/sources/git/github.source-type.ts';
import type { SourceType } from '../../../src/modules/sources/source-type.ts';
import { actionsDelivery, actionsRoutes } from './actions-activity-fake.ts';
import type { HostCase } from './host-case.ts';
import { forbidden, type HostReply, type HostRoute, linkTo, notFound, strictHost } from './strict-host.ts';
import {
  activityPageMax,
  author,
  changedAt,
  cutPage,
  headUntil,
  latest,
  team,
  type World,
  type WorldRepository,
} from './world.ts';

const origin = 'https://api.github.com';
const repo = '/repos/acme/:name';

function toRepository(repository: WorldRepository) {
  const { id, name, isArchived, isFork, commits } = repository;
  return {
    id,
    name,
    full_name: `acme/${name}`,
    owner: { login: 'acme' },
    default_branch: 'main',
    archived: isArchived,
    fork: isFork,
    private: true,
    html_url: `https://github.com/acme/${name}`,
    clone_url: `https://github.com/acme/${name}.git`,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: changedAt(repository),
    pushed_at: commits.length === 0 ? null : changedAt(repository),
    size: commits.length === 0 ? 0 : 10,
  };
}

function paged(all: readonly unknown[], query: Readonly<Record<string, string>>, path: string) {
  const page = Number(query['page'] ?? 1);
  const { items, isLast } = cutPage(all, page, Math.min(Number(query['per_page']), activityPageMax));
  const rest = new URLSearchParams({ ...query, page: String(page + 1) }).toString();
  return { items, headers: linkTo(isLast ? undefined : `${origin}${path}?${rest}`) };
}

function routes(world: World): HostRoute[] {
  const find = (name = '') => world.repositories.find((each) => each.name === name);
  const commitIn = (name = '', sha = '') => find(name)?.commits.find((each) => each.sha === sha);
  const hookOf = (id: string, body: unknown) => {
    world.hooks.set(id, body);
    return { status: 201, json: { id: Number(id), ...(body as object) } };
  };
  const answerQuery = (body: unknown): HostReply => {
    const { query, variables } = body as { query: string; variables: Record<string, string> };
    const found = find(variables['name']);
    if (!found) return { json: { data: { repository: null }, errors: [{ type: 'NOT_FOUND', message: 'none' }] } };
    if (!query.includes('defaultBranchRef')) {
      const blobs = Object.entries(variables).filter(([name]) => /^f\d+$/.test(name));
      const read = ([name, expression]: [string, string]) => {
        const [sha = '', path = ''] = expression.split(':');
        const text = commitIn(variables['name'], sha)?.files[path];
        return [name, text === undefined ? null : { text, isTruncated: false }] as const;
      };
      return { json: { data: { repository: Object.fromEntries(blobs.map(read)) } } };
    }
    const head = latest(found);
    const target = head && { oid: head.sha, committedDate: head.at, messageHeadline: 'one', author };
    const languages = { totalSize: 4, edges: [{ size: 3, node: { name: 'Go' } }] };
    const totalCount = found.pulls.filter(({ state }) => state === 'open').length;
    const defaultBranchRef = target ? { target } : null;
    return { json: { data: { repository: { defaultBranchRef, languages, pullRequests: { totalCount } } } } };
  };
  return [
    ['GET', '/rate_limit', [], () => ({ json: { rate: { limit: 5000, remaining: 4900 } } })],
    ['POST', '/graphql', [], ({ body }) => answerQuery(body)],
    [
      'GET',
      '/orgs/:org/repos',
      ['per_page', 'page', 'sort', 'direction'],
      ({ params, query }) => {
        if (params['org'] !== 'acme') return notFound;
        const byName = world.repositories.toSorted((one, other) => one.name.localeCompare(other.name));
        const byChange = byName.toSorted((one, other) => changedAt(other).localeCompare(changedAt(one)));
        const page = Number(query['page'] ?? 1);
        const { items, isLast } = cutPage(
          query['sort'] === 'pushed' ? byChange : byName,
          page,
          Number(query['per_page']),
        );
        const rest = `per_page=${query['per_page']}&sort=${query['sort']}&direction=${query['direction']}`;
        const next = isLast ? undefined : `${origin}/orgs/acme/repos?page=${page + 1}&${rest}`;
        return { json: items.map(toRepository), headers: linkTo(next) };
      },
    ],
    ['GET', '/users/:name/repos', ['per_page', 'sort', 'direction'], () => notFound],
    [
      'GET',
      `${repo}/git/trees/:sha`,
      ['recursive'],
      ({ params }) => {
        const files = Object.entries(commitIn(params['name'], params['sha'])?.files ?? {});
        const tree = files.map(([path, text]) => ({ path, type: 'blob', sha: path, size: text.length }));
        return { json: { tree: world.isTreeCut ? tree.slice(0, -1) : tree, truncated: world.isTreeCut } };
      },
    ],
    [
      'GET',
      `${repo}/commits`,
      ['sha', 'until', 'per_page'],
      ({ params, query }) => {
        const found = find(params['name']);
        const head = found && headUntil(found, query['until'] ?? '');
        return { json: head ? [{ sha: head.sha }] : [] };
      },
    ],
    ['GET', '/orgs/acme/teams', ['per_page'], () => ({ json: [{ id: team.id, name: team.name, slug: team.slug }] })],
    ['GET', '/orgs/acme/teams/payments/members', ['per_page'], () => ({ json: [{ login: team.member }] })],
    [
      'GET',
      '/orgs/acme/hooks',
      ['per_page'],
      () =>
        world.mayMakeHooks
          ? { json: [...world.hooks].map(([id, hook]) => ({ id: Number(id), ...(hook as object) })) }
          : forbidden,
    ],
    ['POST', '/orgs/acme/hooks', [], ({ body }) => hookOf(String(world.hooks.size + 1), body)],
    ['PATCH', '/orgs/acme/hooks/:id', [], ({ params, body }) => hookOf(params['id'] ?? '', body)],
    [
      'GET',
      '/search/issues',
      ['q', 'per_page'],
      ({ query }) => {
        const [, since = ''] = /^is:pr user:acme updated:>=(\S+)$/.exec(query['q'] ?? '') ?? [];
        const items = world.repositories.flatMap(({ name, pulls }) =>
          pulls
            .filter(({ changedAt: at }) => Date.parse(at) >= Date.parse(since))
            .map(({ number }) => ({ number, repository_url: `${origin}/repos/acme/${name}` })),
        );
        return { json: { total_count: items.length, items } };
      },
    ],
    [
      'GET',
      repo,
      [],
      ({ params }) => {
        const found = find(params['name']);
        return found ? { json: toRepository(found) } : notFound;
      },
    ],
    ...actionsRoutes(world, {
      repo,
      web: 'https://github.com',
      size: 'per_page',
      order: ['sort', 'direction'],
      paged,
    }),
  ];
}

export const gitHubCase: HostCase = {
  type: gitHubSource as unknown as SourceType,
  settings: {},
  secrets: { token: 'ghp-1' },
  codeowners: '* @acme/payments',
  fetch: (world) => strictHost({ origin, authorization: 'Bearer ghp-1', routes: routes(world) }),
  keyOf: ({ id }) => `github.com#${id}`,
  isAbout: ({ name }, url, body) =>
    url.pathname.startsWith(`/repos/acme/${name}/`) || (url.pathname === '/graphql' && body.includes(`"${name}"`)),
  refusal: (url, status) => {
    if (url.pathname !== '/graphql') return undefined;
    const errors = [{ type: status === 403 ? 'FORBIDDEN' : 'NOT_FOUND', message: 'no' }];
    return new Response(JSON.stringify({ data: { repository: null }, errors }));
  },
  push: (repository, branch, before) => ({
    headers: { 'x-github-event': 'push' },
    body: { ref: `refs/heads/${branch}`, before, repository: toRepository(repository) },
  }),
  about: (repository, kind, id, isDeleted) =>
    actionsDelivery('x-github-event', toRepository(repository), kind, id, isDeleted),
  releaseId: ({ id }) => String(id),
  prove: (bytes, secret) => ({
    'x-hub-signature-256': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
  }),
};
