import { createHmac } from 'node:crypto';
import { giteaSource } from '../../../src/modules/sources/git/gitea.source-type.ts';
import type { SourceType } from '../../../src/modules/sources/source-type.ts';
import { actionsDelivery, actionsRoutes } from './actions-activity-fake.ts';
import type { HostCase } from './host-case.ts';
import { forbidden, type HostRoute, linkTo, notFound, strictHost } from './strict-host.ts';
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

const origin = 'https://git.acme.test';
const api = '/api/v1';
const repo = `${api}/repos/acme/:name`;

function toRepository(repository: WorldRepository) {
  const { id, name, isArchived, isFork, commits } = repository;
  return {
    id,
    name,
    full_name: `acme/${name}`,
    owner: { id: 1, login: 'acme' },
    default_branch: 'main',
    empty: commits.length === 0,
    archived: isArchived,
    fork: isFork,
    private: true,
    html_url: `${origin}/acme/${name}`,
    clone_url: `${origin}/acme/${name}.git`,
    created_at: '2026-01-01T00:00:00Z',
    updated_at: changedAt(repository),
    open_pr_counter: repository.pulls.filter(({ state }) => state === 'open').length,
  };
}

function paged(all: readonly unknown[], query: Readonly<Record<string, string>>, path: string) {
  const page = Number(query['page'] ?? 1);
  const { items, isLast } = cutPage(all, page, Math.min(Number(query['limit']), activityPageMax));
  return { items, headers: linkTo(isLast ? undefined : `${origin}${api}${path}?page=${page + 1}`) };
}

function routes(world: World): HostRoute[] {
  const find = (name = '') => world.repositories.find((each) => each.name === name);
  const commitIn = (name = '', sha = '') => find(name)?.commits.find((each) => each.sha === sha);
  const hookOf = (body: unknown) => {
    const id = String(world.hooks.size + 1);
    world.hooks.set(id, body);
    return { status: 201, json: { id: Number(id), ...(body as object) } };
  };
  return [
    ['GET', `${api}/version`, [], () => ({ json: { version: '1.26.0' } })],
    ['GET', `${api}/users/:name`, [], ({ params }) => (params['name'] === 'acme' ? { json: { id: 1 } } : notFound)],
    [
      'GET',
      `${api}/repos/search`,
      ['sort', 'order', 'limit', 'page', 'uid', 'exclusive'],
      ({ query }) => {
        const byId = world.repositories.toSorted((one, other) => one.id - other.id);
        const byChange = byId.toSorted((one, other) => changedAt(other).localeCompare(changedAt(one)));
        const page = Number(query['page'] ?? 1);
        const all = query['sort'] === 'id' ? byId : byChange;
        const { items, isLast } = cutPage(all, page, Number(query['limit']));
        const next = isLast ? undefined : `${origin}${api}/repos/search?page=${page + 1}`;
        const headers = { 'x-total-count': String(all.length), ...linkTo(next) };
        return { json: { ok: true, data: items.map(toRepository) }, headers };
      },
    ],
    [
      'GET',
      `${repo}/branches/:branch`,
      [],
      ({ params }) => {
        const found = find(params['name']);
        const head = found && latest(found);
        if (!head) return notFound;
        return { json: { name: 'main', commit: { id: head.sha, message: 'one\ntwo', timestamp: head.at, author } } };
      },
    ],
    ['GET', `${repo}/languages`, [], () => ({ json: { Go: 3, Shell: 1 } })],
    [
      'GET',
      `${repo}/git/trees/:sha`,
      ['recursive', 'per_page', 'page'],
      ({ params, query }) => {
        const files = Object.entries(commitIn(params['name'], params['sha'])?.files ?? {});
        const entries = files.map(([path, text]) => ({ path, type: 'blob', sha: path, size: text.length }));
        const { items } = cutPage(entries, Number(query['page']), 2);
        const total = world.isTreeCut ? entries.length + 1 : entries.length;
        return { json: { tree: items, total_count: total, truncated: Number(query['page']) * 2 < total } };
      },
    ],
    [
      'GET',
      `${repo}/raw/:rest`,
      ['ref'],
      ({ params, query }) => {
        const text = commitIn(params['name'], query['ref'])?.files[params['rest'] ?? ''];
        return text === undefined ? notFound : { text };
      },
    ],
    [
      'GET',
      `${repo}/commits`,
      ['sha', 'until', 'limit', 'stat', 'verification', 'files'],
      ({ params, query }) => {
        const found = find(params['name']);
        const head = found && headUntil(found, query['until'] ?? '');
        return { json: head ? [{ sha: head.sha }] : [] };
      },
    ],
    ['GET', `${api}/orgs/acme/teams`, ['limit', 'page'], () => ({ json: [{ id: team.id, name: team.name }] })],
    [
      'GET',
      `${api}/teams/:id/members`,
      ['limit', 'page'],
      () => ({ json: [{ login: team.member, full_name: author.name, email: author.email }] }),
    ],
    [
      'GET',
      `${api}/orgs/acme/hooks`,
      ['limit'],
      () =>
        world.mayMakeHooks
          ? { json: [...world.hooks].map(([id, hook]) => ({ id: Number(id), ...(hook as object) })) }
          : forbidden,
    ],
    ['POST', `${api}/orgs/acme/hooks`, [], ({ body }) => hookOf(body)],
    [
      'DELETE',
      `${api}/orgs/acme/hooks/:id`,
      [],
      ({ params }) => {
        world.hooks.delete(params['id'] ?? '');
        return { status: 204 };
      },
    ],
    [
      'GET',
      `${api}/repos/issues/search`,
      ['type', 'state', 'since', 'limit', 'page', 'owner'],
      ({ query }) => {
        const since = Date.parse(query['since'] ?? '');
        const found = world.repositories.flatMap(({ name, pulls }) =>
          pulls
            .filter(({ changedAt: at }) => Date.parse(at) >= since)
            .map(({ number }) => ({ number, repository: { full_name: `acme/${name}` } })),
        );
        return { json: found };
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
    ...actionsRoutes(world, { repo, web: origin, size: 'limit', order: ['sort'], paged }),
  ];
}

export const giteaCase: HostCase = {
  type: giteaSource as unknown as SourceType,
  settings: { url: origin },
  secrets: { token: 'gta-1' },
  codeowners: '.* @acme/payments',
  fetch: (world) => strictHost({ origin, authorization: 'token gta-1', routes: routes(world) }),
  keyOf: ({ id }) => `git.acme.test#${id}`,
  isAbout: ({ name }, url) => url.pathname.startsWith(`${api}/repos/acme/${name}/`),
  push: (repository, branch, before) => ({
    headers: { 'x-gitea-event': 'push' },
    body: { ref: `refs/heads/${branch}`, before, repository: toRepository(repository) },
  }),
  about: (repository, kind, id, isDeleted) =>
    actionsDelivery('x-gitea-event', toRepository(repository), kind, id, isDeleted),
  releaseId: ({ id }) => String(id),
  prove: (bytes, secret) => ({ 'x-gitea-signature': createHmac('sha256', secret).update(bytes).digest('hex') }),
};
