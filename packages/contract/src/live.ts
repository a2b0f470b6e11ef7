import { z } from 'zod';
import { operation } from './operation.ts';

/** Something that changed, by what it is and what it is called; never what is in it. */
const change = z.object({
  /** Noun then past, as in the audit log: `entity.updated`. */
  event: z.string(),
  /** What kind of thing it is: `entity`, `blueprint`, `run`, `page` … */
  resource: z.string(),
  /** The thing itself; absent where many changed at once, or where the reader is told of the kind alone. */
  identifier: z.string().optional(),
  /** Of which blueprint it is, or what it is about. */
  blueprint: z.string().optional(),
  entity: z.string().optional(),
});
export type LiveChange = z.output<typeof change>;

/** What `GET /v1/events` sends, by the name of the event. */
export interface LiveEvents {
  /** The stream is open, and what changes from now on is told. */
  readonly ready: Record<string, never>;
  readonly changes: { readonly changes: readonly LiveChange[] };
  /** More has changed than is told: whatever is shown is to be read anew. */
  readonly reload: { readonly reason: 'too-old' | 'too-many' | 'gap' };
  /** The last one. After `restart` the reader connects again; after `session-ended` it has to sign in. */
  readonly end: { readonly reason: 'restart' | 'session-ended' };
}

export const followChanges = operation({
  id: 'followChanges',
  method: 'GET',
  path: '/v1/events',
  tag: 'Audit log',
  summary: 'Follow what changes in the organization, as a stream without end',
  description:
    'Kinds and identifiers of what the caller may read, never contents: `ready` first, then `changes`, or `reload` where more has changed than can be told. With `Last-Event-ID` it begins where an earlier stream was left. The stream ends with the session or token.',
  access: 'token',
  scope: 'read:audit-log',
  answerType: 'text/event-stream',
  errors: ['too_many_requests'],
});

export const liveOperations = [followChanges] as const;
