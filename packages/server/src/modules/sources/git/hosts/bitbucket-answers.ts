import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import type { DatedRepository } from '../git-host.ts';
import { isoTime } from './read-answers.ts';

const links = z.looseObject({
  html: z.looseObject({ href: z.string() }).nullish(),
  clone: z.array(z.looseObject({ name: z.string(), href: z.string() })).nullish(),
});

export const repositorySchema = z.looseObject({
  uuid: z.string(),
  name: z.string(),
  full_name: z.string(),
  mainbranch: z.looseObject({ name: z.string() }).nullish(),
  updated_on: z.string(),
  links: links.nullish(),
});
/** A page of a list; only the last has no `next`. */
export const pageSchema = z.looseObject({
  size: z.number().nullish(),
  pagelen: z.number().nullish(),
  next: z.string().nullish(),
  values: z.array(z.unknown()),
});
export const commitSchema = z.looseObject({
  hash: z.string(),
  date: z.string().nullish(),
  message: z.string().nullish(),
  author: z
    .looseObject({ raw: z.string().nullish(), user: z.looseObject({ nickname: z.string().nullish() }).nullish() })
    .nullish(),
});
const ref = z.looseObject({
  type: z.string(),
  name: z.string(),
  target: z.looseObject({ hash: z.string() }).nullish(),
});
export const eventSchema = z.looseObject({
  repository: z.looseObject({ uuid: z.string(), full_name: z.string() }),
  push: z.looseObject({ changes: z.array(z.looseObject({ new: ref.nullish(), old: ref.nullish() })) }).nullish(),
});

/** The host's names of repositories without the braces, which mean something else in addresses. */
export function readId(uuid: string): string {
  return uuid.replace(/^\{|\}$/g, '');
}

export function toListed(raw: z.output<typeof repositorySchema>): DatedRepository {
  const answer = raw as JqObject & typeof raw;
  const [namespace = ''] = raw.full_name.split('/');
  const isEmpty = !raw.mainbranch;
  const isFork = Boolean(answer['parent']);
  const size = answer['size'];
  return {
    id: readId(raw.uuid),
    path: raw.full_name,
    defaultBranch: raw.mainbranch?.name ?? 'main',
    isEmpty,
    // the host has no such thing
    isArchived: false,
    isFork,
    updatedAt: new Date(raw.updated_on),
    document: {
      name: raw.name,
      path: raw.full_name,
      namespace,
      url: raw.links?.html?.href ?? null,
      cloneUrl: raw.links?.clone?.find(({ name }) => name === 'https')?.href ?? null,
      description: answer['description'] || null,
      visibility: answer['is_private'] === false ? 'public' : 'private',
      defaultBranch: raw.mainbranch?.name ?? null,
      archived: false,
      fork: isFork,
      template: false,
      empty: isEmpty,
      topics: [],
      language: answer['language'] || null,
      sizeKb: typeof size === 'number' ? Math.round(size / 1024) : null,
      createdAt: isoTime(answer['created_on'] as JqValue | undefined),
      updatedAt: isoTime(raw.updated_on),
      raw: answer,
    },
  };
}

export function toHead({ hash, date, message, author }: z.output<typeof commitSchema>): JqObject {
  const [, name = '', email = ''] = /^\s*(.*?)\s*(?:<([^>]*)>)?\s*$/.exec(author?.raw ?? '') ?? [];
  return {
    sha: hash,
    at: isoTime(date ?? null),
    message: (message ?? '').split('\n')[0] ?? '',
    author: author ? { name: name || null, email: email || null, login: author.user?.nickname ?? null } : null,
  };
}
