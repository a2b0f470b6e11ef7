import type { JqObject, JqValue } from '@portolan/jq';
import { z } from 'zod';
import type { ListedRepository } from '../git-host.ts';
import { isoTime } from './read-answers.ts';

export const projectSchema = z.looseObject({ id: z.string(), name: z.string() });
export type Project = z.output<typeof projectSchema>;
export const repositorySchema = z.looseObject({
  id: z.string(),
  name: z.string(),
  project: projectSchema,
  /** `refs/heads/main`; absent without commits. */
  defaultBranch: z.string().nullish(),
  isDisabled: z.boolean().nullish(),
  isFork: z.boolean().nullish(),
});
export const commitSchema = z.looseObject({
  commitId: z.string(),
  comment: z.string().nullish(),
  committer: z.looseObject({ date: z.string().nullish() }).nullish(),
  author: z.looseObject({ name: z.string().nullish(), email: z.string().nullish() }).nullish(),
});
export const itemSchema = z.looseObject({
  path: z.string(),
  gitObjectType: z.string().nullish(),
  content: z.string().nullish(),
});
export const eventSchema = z.looseObject({
  eventType: z.string(),
  resource: z.looseObject({
    refUpdates: z.array(z.looseObject({ name: z.string(), oldObjectId: z.string().nullish() })).nullish(),
    repository: z.looseObject({ id: z.string(), project: z.looseObject({ id: z.string() }) }),
  }),
});

const branchPrefix = 'refs/heads/';

/** The branch that a ref names; other refs stay whole. */
export function branchIn(ref: string | null | undefined): string | null {
  return ref?.startsWith(branchPrefix) ? ref.slice(branchPrefix.length) : (ref ?? null);
}

export function toListed(raw: z.output<typeof repositorySchema>): ListedRepository {
  const answer = raw as JqObject & typeof raw;
  const project = raw.project as JqObject & Project;
  const branch = raw.defaultBranch?.startsWith(branchPrefix) ? raw.defaultBranch.slice(branchPrefix.length) : null;
  const isArchived = raw.isDisabled === true;
  const isFork = raw.isFork === true;
  const size = answer['size'];
  // one that is switched off tells nothing of its files
  const isEmpty = branch === null || isArchived;
  return {
    id: raw.id,
    path: `${project.name}/${raw.name}`,
    defaultBranch: branch ?? 'main',
    isEmpty,
    isArchived,
    isFork,
    document: {
      name: raw.name,
      path: `${project.name}/${raw.name}`,
      namespace: project.name,
      url: answer['webUrl'] ?? null,
      cloneUrl: answer['remoteUrl'] ?? null,
      description: null,
      visibility: project['visibility'] ?? null,
      defaultBranch: branch,
      archived: isArchived,
      fork: isFork,
      template: false,
      empty: isEmpty,
      topics: [],
      sizeKb: typeof size === 'number' ? Math.round(size / 1024) : null,
      createdAt: isoTime(answer['creationDate'] as JqValue | undefined),
      // without what changes with every change of the project
      raw: {
        ...(answer as JqObject),
        project: { id: project.id, name: project.name, visibility: project['visibility'] ?? null },
      },
    },
  };
}

export function toHead({ commitId, comment, committer, author }: z.output<typeof commitSchema>): JqObject {
  return {
    sha: commitId,
    at: isoTime(committer?.date ?? null),
    message: (comment ?? '').split('\n')[0] ?? '',
    author: author ? { name: author.name ?? null, email: author.email ?? null, login: null } : null,
  };
}
