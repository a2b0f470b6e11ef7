import type { LiveChange } from '@portolan/contract/live';
import type { Notice } from '@portolan/contract/notices';
import type { Actor } from '../../../platform/actor.ts';
import type { Reader } from '../../../platform/db/database.ts';
import { readCursor, visibleWorkflowRuns, writeCursor } from '../runs/read-runs.ts';
import { countUnread, hasChangedSince, selectNotices } from './notice.store.ts';
import type { NoticesDeps } from './notices.deps.ts';

export interface NoticePage {
  readonly notices: Notice[];
  readonly unread: number;
  readonly nextCursor?: string;
}

/**
 * What the caller was told, newest first; credentials of the organization have none. A run is named to those alone who
 * may see it now. @throws AppError `invalid_request`
 */
export async function readNotices(
  { database }: Pick<NoticesDeps, 'database'>,
  actor: Actor,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<NoticePage> {
  const before = cursor === undefined ? undefined : readCursor(cursor);
  if (actor.kind !== 'person') return { notices: [], unread: 0 };
  const found = await selectNotices(database, actor.orgId, actor.id, { before, limit });
  const seen = await visibleWorkflowRuns(database, actor, [...new Set(found.map(({ runId }) => runId))]);
  const last = found.length === limit ? found.at(-1) : undefined;
  return {
    notices: found.map((each) => ({
      identifier: each.id,
      subject: each.subject,
      body: each.body,
      link: each.link,
      workflow: { identifier: each.workflow, title: each.workflowTitle },
      workflowRun: seen.has(each.runId) ? { identifier: each.runId, createdBy: each.startedBy } : null,
      createdAt: each.createdAt.toISOString(),
      readAt: each.readAt?.toISOString() ?? null,
    })),
    unread: await countUnread(database, actor.orgId, actor.id),
    ...(last ? { nextCursor: writeCursor(last.key) } : {}),
  };
}

/** That the caller's notices changed, for the live stream: the audit log holds nothing of them. */
export async function noticeChangesSince(reader: Reader, actor: Actor, since: Date): Promise<LiveChange[]> {
  const hasChanged = actor.kind === 'person' && (await hasChangedSince(reader, actor.orgId, actor.id, since));
  return hasChanged ? [{ event: 'notice.updated', resource: 'notice', identifier: actor.id }] : [];
}
