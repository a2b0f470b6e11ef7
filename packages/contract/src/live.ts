import { z } from 'zod';
import { operation } from './operation.ts';

/** A change by kind and identifier, without content. */
const change = z.object({
  /** Noun and past form, as in the audit log: `entity.updated`. */
  event: z.string(),
  /** `entity`, `blueprint`, `run`, `page` … */
  resource: z.string(),
  /** Absent if many changed at once, or if the reader may only know the kind. */
  identifier: z.string().optional(),
  /** The blueprint it belongs to or is about. */
  blueprint: z.string().optional(),
  entity: z.string().optional(),
});
export type LiveChange = z.output<typeof change>;

/** Events of `GET /v1/events` by name. */
export interface LiveEvents {
  /** The stream is open; changes from now on are sent. */
  readonly ready: Record<string, never>;
  readonly changes: { readonly changes: readonly LiveChange[] };
  /** Changes were missed: reload what is shown. */
  readonly reload: { readonly reason: 'too-old' | 'too-many' | 'gap' };
  /** Last event. After `restart` reconnect; after `session-ended` sign in. */
  readonly end: { readonly reason: 'restart' | 'session-ended' };
}

export const followChanges = operation({
  id: 'followChanges',
  method: 'GET',
  path: '/v1/events',
  tag: 'Audit log',
  summary: 'Follow what changes in the organization, as a stream without end',
  description:
    'Kinds and identifiers of what the caller may read, never contents: `ready` first, then `changes`, or `reload` where more has changed than can be told. With `Last-Event-ID` it begins where an earlier stream was left, with `since` at a time, both within 15 minutes. The stream ends with the session or token.',
  access: 'token',
  scope: 'read:audit-log',
  query: z.object({
    since: z.coerce.number().int().min(0).optional().meta({
      description: 'Milliseconds since 1970: when what is shown was read. Changes since then are told, too',
    }),
  }),
  answerType: 'text/event-stream',
  errors: ['too_many_requests'],
});

export const liveOperations = [followChanges] as const;
