import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import type { SourceEvent } from '../../source-type.ts';
import type { DatedRepository, HostEvent } from '../git-host.ts';
import { readActivityEvent } from './activity-answers.ts';
import { isoTime } from './read-answers.ts';

export const repositorySchema = z.looseObject({
  id: z.number(),
  name: z.string(),
  full_name: z.string(),
  owner: z.looseObject({ login: z.string() }),
  default_branch: z.string().nullish(),
  // seconds in the payload of a push, text elsewhere
  pushed_at: z.union([z.string(), z.number()]).nullish(),
  updated_at: z.string().nullish(),
});

export function toListed(raw: z.output<typeof repositorySchema>): DatedRepository {
  const answer = raw as JqObject & typeof raw;
  const pushedAt = typeof raw.pushed_at === 'number' ? new Date(raw.pushed_at * 1000).toISOString() : raw.pushed_at;
  const license = answer['license'] as { readonly spdx_id?: string } | null | undefined;
  return {
    id: String(raw.id),
    path: raw.full_name,
    defaultBranch: raw.default_branch || 'main',
    // the host has no word for it: a repository that was never pushed to has no size
    isEmpty: answer['size'] === 0 && !pushedAt,
    isArchived: answer['archived'] === true,
    isFork: answer['fork'] === true,
    updatedAt: new Date(pushedAt ?? raw.updated_at ?? 0),
    document: {
      name: raw.name,
      path: raw.full_name,
      namespace: raw.owner.login,
      url: answer['html_url'] ?? null,
      cloneUrl: answer['clone_url'] ?? null,
      description: answer['description'] || null,
      visibility: answer['visibility'] ?? (answer['private'] === true ? 'private' : 'public'),
      defaultBranch: raw.default_branch || null,
      archived: answer['archived'] === true,
      fork: answer['fork'] === true,
      template: answer['is_template'] === true,
      empty: answer['size'] === 0 && !pushedAt,
      topics: Array.isArray(answer['topics']) ? answer['topics'] : [],
      language: answer['language'] || null,
      license: license?.spdx_id ?? null,
      sizeKb: answer['size'] ?? null,
      stars: answer['stargazers_count'] ?? null,
      createdAt: isoTime(answer['created_at'] as JqValue | undefined),
      updatedAt: isoTime(raw.updated_at ?? null),
      pushedAt: isoTime(pushedAt ?? null),
      raw: answer,
    },
  };
}

const user = z.looseObject({ login: z.string() }).nullish();
export const detailsSchema = z.looseObject({
  defaultBranchRef: z
    .looseObject({
      target: z.looseObject({
        oid: z.string(),
        committedDate: z.string().nullish(),
        messageHeadline: z.string().nullish(),
        author: z.looseObject({ name: z.string().nullish(), email: z.string().nullish(), user }).nullish(),
      }),
    })
    .nullable(),
  languages: z
    .looseObject({
      totalSize: z.number(),
      edges: z.array(z.looseObject({ size: z.number(), node: z.looseObject({ name: z.string() }) })),
    })
    .nullish(),
  pullRequests: z.looseObject({ totalCount: z.number() }).nullish(),
  latestRelease: z
    .looseObject({ tagName: z.string(), publishedAt: z.string().nullish(), url: z.string().nullish() })
    .nullish(),
});

/** What is asked of one repository; the same fields for all, so that the host counts one point for each. */
export const detailsQuery = `query ($owner: String!, $name: String!) {
  repository(owner: $owner, name: $name) {
    defaultBranchRef { target { oid ... on Commit { committedDate messageHeadline author { name email user { login } } } } }
    languages(first: 20, orderBy: {field: SIZE, direction: DESC}) { totalSize edges { size node { name } } }
    pullRequests(states: OPEN) { totalCount }
    latestRelease { tagName publishedAt url }
  }
}`;

export function toDetails({
  defaultBranchRef,
  languages,
  pullRequests,
  latestRelease,
}: z.output<typeof detailsSchema>) {
  const target = defaultBranchRef?.target;
  const author = target?.author;
  const head = target && {
    sha: target.oid,
    document: {
      sha: target.oid,
      at: isoTime(target.committedDate ?? null),
      message: target.messageHeadline ?? '',
      author: author
        ? { name: author.name ?? null, email: author.email ?? null, login: author.user?.login ?? null }
        : null,
    },
  };
  const share = (size: number): number => Math.round((size / (languages?.totalSize || 1)) * 1000) / 10;
  const document: JqObject = {
    ...(languages && languages.edges.length > 0
      ? { languages: Object.fromEntries(languages.edges.map(({ size, node }) => [node.name, share(size)])) }
      : {}),
    openPullRequests: pullRequests?.totalCount ?? null,
    latestRelease: latestRelease
      ? { tag: latestRelease.tagName, at: isoTime(latestRelease.publishedAt ?? null), url: latestRelease.url ?? null }
      : null,
  };
  return { head, document };
}

/** A push to the default branch, or a change of a repository itself. */
export async function readGitHubEvent({ headers, body }: SourceEvent): Promise<HostEvent | undefined> {
  const event = headers['x-github-event'];
  const payload = z
    .looseObject({
      action: z.string().nullish(),
      ref: z.string().nullish(),
      before: z.string().nullish(),
      repository: repositorySchema,
    })
    .safeParse(body);
  if (!payload.success) return undefined;
  const { action, ref, before, repository } = payload.data;
  const listed = toListed(repository);
  const activity = readActivityEvent(event, body, listed);
  if (activity) return activity;
  if (event === 'repository') {
    const { id, path } = listed;
    return action === 'deleted' ? { kind: 'deleted', id, path } : { kind: 'changed', repository: listed };
  }
  if (event !== 'push' || ref !== `refs/heads/${listed.defaultBranch}`) return undefined;
  const isNew = !before || /^0+$/.test(before);
  return { kind: 'changed', repository: listed, ...(isNew ? {} : { before }) };
}
