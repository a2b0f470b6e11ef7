import { z } from 'zod';
import { operation } from './operation.ts';
import { queryInteger, queryText, timestamp } from './wire.ts';

/** Something that a workflow told a person in the portal. */
const notice = z.object({
  identifier: z.string(),
  subject: z.string(),
  body: z.string(),
  /** `https:`, or a path of the portal. */
  link: z.string().nullable(),
  workflow: z.object({ identifier: z.string(), title: z.string().nullable() }),
  /** The run that told it; null where it is gone, or the reader may not see it. */
  workflowRun: z.object({ identifier: z.string(), createdBy: z.string() }).nullable(),
  createdAt: timestamp,
  readAt: timestamp.nullable(),
});
export type Notice = z.output<typeof notice>;

const tag = 'Workflows';
const path = '/v1/me/notices';
const params = z.object({ notice: z.string().min(1).max(200) });
const rest = z.object({ ok: z.literal(true), unread: z.int() });

export const listNotices = operation({
  id: 'listNotices',
  method: 'GET',
  path,
  tag,
  summary: 'List what workflows told you, newest first',
  description:
    'Your own alone: the newest 200, without those that you dismissed. `unread` counts all that you have not read. Credentials without a user have none.',
  access: 'token',
  scope: 'read:users',
  query: z.object({ limit: queryInteger({ min: 1, max: 100, default: 20 }), cursor: queryText() }),
  answer: rest.extend({ notices: z.array(notice), nextCursor: z.string().optional() }),
  errors: [],
});

export const readNotice = operation({
  id: 'readNotice',
  method: 'POST',
  path: `${path}/{notice}/read`,
  tag,
  summary: 'Mark one of your notices as read',
  access: 'token',
  scope: 'update:users',
  params,
  answer: rest,
  errors: ['not_found'],
});

export const readNotices = operation({
  id: 'readNotices',
  method: 'POST',
  path: `${path}/read`,
  tag,
  summary: 'Mark all your notices as read',
  description:
    'With `upTo` those that had come by then: it and all before it, and none that came while you were reading.',
  access: 'token',
  scope: 'update:users',
  body: z.object({ upTo: z.string().min(1).max(200).optional() }),
  unknownFields: 'closed',
  answer: rest,
  errors: ['not_found'],
});

export const dismissNotice = operation({
  id: 'dismissNotice',
  method: 'POST',
  path: `${path}/{notice}/dismiss`,
  tag,
  summary: 'Dismiss one of your notices',
  description: 'It is listed no more, and its text is deleted.',
  access: 'token',
  scope: 'update:users',
  params,
  answer: rest,
  errors: ['not_found'],
});

export const noticeOperations = [listNotices, readNotice, readNotices, dismissNotice] as const;
