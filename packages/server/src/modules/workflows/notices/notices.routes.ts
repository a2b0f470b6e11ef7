import * as contract from '@portolan/contract/notices';
import { type Route, route } from '../../../platform/http/route.ts';
import { dismissOne, readAll, readOne } from './change-notices.ts';
import type { NoticesDeps } from './notices.deps.ts';
import { readNotices } from './read-notices.ts';

export function noticeRoutes(deps: NoticesDeps): Route[] {
  return [
    route(contract.listNotices, ({ query }, { actor }) => readNotices(deps, actor, query)),
    route(contract.readNotice, async ({ params }, { actor }) => ({
      unread: await readOne(deps, actor, params.notice),
    })),
    route(contract.readNotices, async ({ body }, { actor }) => ({ unread: await readAll(deps, actor, body.upTo) })),
    route(contract.dismissNotice, async ({ params }, { actor }) => ({
      unread: await dismissOne(deps, actor, params.notice),
    })),
  ];
}
