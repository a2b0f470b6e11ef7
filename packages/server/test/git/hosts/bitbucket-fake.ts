import { createHmac } from 'node:crypto';
import { bitbucketSource } from '../../../src/modules/sources/git/bitbucket.source-type.ts';
import type { SourceType } from '../../../src/modules/sources/source-type.ts';
import { bitbucketDelivery, bitbucketRoutes } from './bitbucket-activity-fake.ts';
import type { HostCase } from './host-case.ts';
import { forbidden, type HostRoute, notFound, strictHost } from './strict-host.ts';
import {
  author,
  changedAt,
  cutPage,
  latest,
  team,
  type World,
  type WorldCommit,
  type WorldRepository,
} from './world.ts';

const origin = 'https://api.bitbucket.org';
const api = '/2.0';
const repo = `${api}/repositories/acme/:name`;

function idOf({ id }: WorldRepository): string {
  return `00000000-0000-4000-8000-${String(id).padStart(12, '0')}`;
}

function toRepository(repository: WorldRepository) {
  const { name, isFork, commits } = repository;
  return {
    type: 'repository',
    uuid: `{${idOf(repository)}}`,
    name,
    slug: name,
    full_name: `acme/${name}`,
    mainbranch: commits.length === 0 ? null : { type: 'branch', name: 'main' },
    is_private: true,
    language: 'go',
    size: 2048,
    created_on: '2026-01-01T00:00:00.000000+00:00',
    updated_on: changedAt(repository).replace('Z', '000+00:00'),
    links: {
      html: { href: `https://bitbucket.org/acme/${name}` },
      clone: [
        { name: 'https', href: `https://ada@bitbucket.org/acme/${name}.git` },
        { name: 'ssh', href: `git@bitbucket.org:acme/${name}.git` },
      ],
    },
    ...(isFork ? { parent: { type: 'repository', full_name: 'other/origin' } } : {}),
  };
}

function toCommit({ sha, at }: WorldCommit) {
  const raw = `${author.name} <${author.email}>`;
  return { type: 'commit', hash: sha, date: at, message: 'one\ntwo', author: { type: 'author', raw } };
}

function routes(world: World): HostRoute[] {
  const find = (name = '') => world.repositories.find((each) => each.name === name || `{${idOf(each)}}` === name);
  const commitIn = (name = '', sha = '') => find(name)?.commits.find((each) => each.sha === sha);
  const paged = (all: readonly unknown[], size: number, page: number, path: string, rest: string) => {
    const { items, isLast } = cutPage(all, page, size);
    const next = isLast ? {} : { next: `${origin}${path}?page=${page + 1}&pagelen=${size}${rest}` };
    return { json: { size: all.length, page, pagelen: size, values: items, ...next } };
  };
  const hookOf = (id: string, body: unknown) => {
    world.hooks.set(id, body);
    return { status: 201, json: { uuid: id, ...(body as object) } };
  };
  return [
    [
      'GET',
      `${api}/repositories/:workspace`,
      ['sort', 'pagelen', 'page'],
      ({ params, query }) => {
        if (params['workspace'] !== 'acme') return notFound;
        const byAge = world.repositories.toSorted((one, other) => one.id - other.id);
        const byChange = byAge.toSorted((one, other) => changedAt(other).localeCompare(changedAt(one)));
        const all = (query['sort'] === 'created_on' ? byAge : byChange).map(toRepository);
        const { pagelen, page, sort } = query;
        return paged(all, Number(pagelen), Number(page), `${api}/repositories/acme`, `&sort=${sort}`);
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
    [
      'GET',
      `${repo}/refs/branches/main`,
      [],
      ({ params }) => {
        const found = find(params['name']);
        const head = found && latest(found);
        return head ? { json: { type: 'branch', name: 'main', target: toCommit(head) } } : notFound;
      },
    ],
    [
      'GET',
      `${repo}/commits/main`,
      ['pagelen', 'page'],
      ({ params, query }) => {
        const newest = (find(params['name'])?.commits ?? []).toReversed().map(toCommit);
        // one to a page, so that older ones are on the next
        return paged(newest, 1, Number(query['page'] ?? 1), `${repo}/commits/main`, '');
      },
    ],
    [
      'GET',
      `${repo}/src/:sha/:rest`,
      ['max_depth', 'pagelen', 'page'],
      ({ params, query }) => {
        const { name, sha = '', rest = '' } = params;
        const files = commitIn(name, sha)?.files ?? {};
        if (rest !== '') return files[rest] === undefined ? notFound : { text: files[rest] };
        const depth = Number(query['max_depth']);
        if (world.isTreeCut && depth > 1) return { status: 555, json: { type: 'error' } };
        const shown = Object.entries(files).filter(([path]) => path.split('/').length <= depth);
        const folder = { type: 'commit_directory', path: 'deep' };
        const entries = shown.map(([path, text]) => ({ type: 'commit_file', path, size: text.length }));
        return paged([folder, ...entries], 2, Number(query['page'] ?? 1), `${repo}/src/${sha}/`, `&max_depth=${depth}`);
      },
    ],
    [
      'GET',
      '/1.0/groups/acme',
      [],
      () => ({
        json: [{ name: team.name, slug: team.slug, members: [{ nickname: team.member, display_name: author.name }] }],
      }),
    ],
    [
      'GET',
      `${api}/workspaces/acme/hooks`,
      ['pagelen'],
      () =>
        world.mayMakeHooks
          ? { json: { values: [...world.hooks].map(([uuid, hook]) => ({ uuid, ...(hook as object) })) } }
          : forbidden,
    ],
    ['POST', `${api}/workspaces/acme/hooks`, [], ({ body }) => hookOf(`{hook-${world.hooks.size + 1}}`, body)],
    ['PUT', `${api}/workspaces/acme/hooks/:uuid`, [], ({ params, body }) => hookOf(params['uuid'] ?? '', body)],
    ...bitbucketRoutes(repo, find),
  ];
}

export const bitbucketCase: HostCase = {
  type: bitbucketSource as unknown as SourceType,
  settings: {},
  secrets: { token: 'atct-1' },
  codeowners: '* @acme/payments',
  fetch: (world) => strictHost({ origin, authorization: 'Bearer atct-1', routes: routes(world) }),
  keyOf: (repository) => `bitbucket.org#${idOf(repository)}`,
  isAbout: ({ name }, url) => url.pathname.startsWith(`${api}/repositories/acme/${name}/`),
  push: (repository, branch, before) => ({
    headers: { 'x-event-key': 'repo:push' },
    body: {
      actor: { nickname: 'ada' },
      repository: { type: 'repository', uuid: `{${idOf(repository)}}`, full_name: `acme/${repository.name}` },
      push: {
        changes: [
          {
            new: { type: 'branch', name: branch, target: { type: 'commit', hash: 'f'.repeat(40) } },
            old: { type: 'branch', name: branch, target: { type: 'commit', hash: before } },
            closed: false,
            created: false,
            forced: false,
          },
        ],
      },
    },
  }),
  about: (repository, kind, id) => bitbucketDelivery(idOf(repository), repository, kind, id),
  releaseId: ({ tag }) => tag,
  prove: (bytes, secret) => ({
    'x-hub-signature': `sha256=${createHmac('sha256', secret).update(bytes).digest('hex')}`,
  }),
  lacks: {
    archived: 'Repositories cannot be archived there',
    release: 'Bitbucket has no releases',
    changedPulls: 'No list has those of all repositories of a workspace',
    labels: 'Pull requests have none',
  },
};
