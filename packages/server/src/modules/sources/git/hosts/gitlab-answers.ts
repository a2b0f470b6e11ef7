import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import type { DatedRepository } from '../git-host.ts';
import { isoTime } from './read-answers.ts';

export const projectSchema = z.looseObject({
  id: z.number(),
  name: z.string(),
  path_with_namespace: z.string(),
  namespace: z.looseObject({ full_path: z.string() }),
  default_branch: z.string().nullish(),
  empty_repo: z.boolean().nullish(),
  repository_access_level: z.string().nullish(),
  archived: z.boolean().nullish(),
  marked_for_deletion_on: z.string().nullish(),
  last_activity_at: z.string(),
});
export const commitSchema = z.looseObject({
  id: z.string(),
  title: z.string().nullish(),
  message: z.string().nullish(),
  author_name: z.string().nullish(),
  author_email: z.string().nullish(),
  committed_date: z.string().nullish(),
});
/** What a webhook of a project, a group or the whole server sends. */
export const eventSchema = z.looseObject({
  object_kind: z.string().nullish(),
  event_name: z.string().nullish(),
  project_id: z.number(),
  ref: z.string().nullish(),
  before: z.string().nullish(),
});

/** Of a project, but never shown to expressions: tokens, and what changes although nothing changed. */
const hiddenFields = ['runners_token', 'import_url', 'service_desk_address', 'container_expiration_policy', '_links'];

export function toListed(raw: z.output<typeof projectSchema>): DatedRepository {
  const answer = raw as JqObject & typeof raw;
  const topics = answer['topics'] ?? answer['tag_list'];
  // a project may be without a repository at all
  const isEmpty = raw.empty_repo === true || !raw.default_branch || raw.repository_access_level === 'disabled';
  // one that is to be deleted can only be read
  const isArchived = raw.archived === true || Boolean(raw.marked_for_deletion_on);
  const isFork = Boolean(answer['forked_from_project']);
  return {
    id: String(raw.id),
    path: raw.path_with_namespace,
    defaultBranch: raw.default_branch || 'main',
    isEmpty,
    isArchived,
    isFork,
    updatedAt: new Date(raw.last_activity_at),
    document: {
      name: raw.name,
      path: raw.path_with_namespace,
      namespace: raw.namespace.full_path,
      url: answer['web_url'] ?? null,
      cloneUrl: answer['http_url_to_repo'] ?? null,
      description: answer['description'] || null,
      visibility: answer['visibility'] ?? null,
      defaultBranch: raw.default_branch || null,
      archived: isArchived,
      fork: isFork,
      template: false,
      empty: isEmpty,
      topics: Array.isArray(topics) ? topics : [],
      stars: answer['star_count'] ?? null,
      createdAt: isoTime(answer['created_at'] as JqValue | undefined),
      updatedAt: isoTime(raw.last_activity_at),
      raw: Object.fromEntries(Object.entries(answer).filter(([name]) => !hiddenFields.includes(name))),
    },
  };
}

export function toHead(commit: z.output<typeof commitSchema>): JqObject {
  const { id, title, message, author_name: name, author_email: email, committed_date: at } = commit;
  return {
    sha: id,
    at: isoTime(at ?? null),
    message: title ?? (message ?? '').split('\n')[0] ?? '',
    author: name ? { name, email: email || null, login: null } : null,
  };
}

/** Per cent, as the host counts; absent until it has. */
export function toLanguages(languages: Readonly<Record<string, number>>): JqObject {
  const [first] = Object.entries(languages).toSorted(([, one], [, other]) => other - one);
  return first ? { language: first[0], languages: { ...languages } } : {};
}
