import type { JqObject } from '@portolan/jq';
import { z } from 'zod';
import type { SourceEvent } from '../../source-type.ts';
import type { DatedRepository, HostEvent } from '../git-host.ts';
import { readActivityEvent } from './activity-answers.ts';
import { isoTime, readLicence } from './read-answers.ts';

export const repositorySchema = z.looseObject({
  id: z.number(),
  name: z.string(),
  full_name: z.string(),
  owner: z.looseObject({ login: z.string() }),
  default_branch: z.string().nullish(),
  updated_at: z.string(),
});
export const commitSchema = z.looseObject({
  id: z.string(),
  message: z.string().nullish(),
  timestamp: z.string().nullish(),
  author: z.looseObject({ name: z.string(), email: z.string(), username: z.string().nullish() }).nullish(),
});

/** A push or a change of a repository; undefined for what says nothing of its files. */
export async function readGiteaEvent({ headers, body }: SourceEvent): Promise<HostEvent | undefined> {
  const event = headers['x-gitea-event'] ?? headers['x-forgejo-event'];
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

export function toListed(raw: z.output<typeof repositorySchema>): DatedRepository {
  const answer = raw as JqObject & typeof raw;
  const topics = Array.isArray(answer['topics']) ? answer['topics'] : [];
  return {
    id: String(raw.id),
    path: raw.full_name,
    defaultBranch: raw.default_branch || 'main',
    isEmpty: answer['empty'] === true,
    isArchived: answer['archived'] === true,
    isFork: answer['fork'] === true,
    updatedAt: new Date(raw.updated_at),
    document: {
      name: raw.name,
      path: raw.full_name,
      namespace: raw.owner.login,
      url: answer['html_url'] ?? null,
      cloneUrl: answer['clone_url'] ?? null,
      description: answer['description'] || null,
      visibility: answer['private'] === true ? 'private' : answer['internal'] === true ? 'internal' : 'public',
      defaultBranch: raw.default_branch || null,
      archived: answer['archived'] === true,
      fork: answer['fork'] === true,
      template: answer['template'] === true,
      empty: answer['empty'] === true,
      topics,
      language: answer['language'] || null,
      license: readLicence(answer['licenses']),
      sizeKb: answer['size'] ?? null,
      stars: answer['stars_count'] ?? null,
      openPullRequests: answer['open_pr_counter'] ?? null,
      createdAt: isoTime(answer['created_at']),
      updatedAt: isoTime(raw.updated_at),
      raw: answer,
    },
  };
}

export function toHead({ id, message, timestamp, author }: z.output<typeof commitSchema>): JqObject {
  return {
    sha: id,
    at: isoTime(timestamp ?? null),
    message: (message ?? '').split('\n')[0] ?? '',
    author: author ? { name: author.name, email: author.email, login: author.username || null } : null,
  };
}
