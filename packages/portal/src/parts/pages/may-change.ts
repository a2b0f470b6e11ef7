import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { mayBeGranted } from '../entities/grants.ts';

type Page = AnswerOf<'getPage'>['page'];

/** Whether to offer changing a page; the server authorizes. Private pages are visible only to their author. */
export function useMayChangePage({
  identifier,
  visibility,
  locked,
}: Pick<Page, 'identifier' | 'visibility' | 'locked'>): boolean {
  const session = useSession();
  const isSure = isAdmin(session) || visibility === 'private';
  const isOn = !isSure && locked !== true;
  const { data } = useRead('getPagePermissions', { params: { page_identifier: identifier } }, { isOn });
  if (isSure) return true;
  const update = data?.permissions.update;
  return isOn && update !== undefined && mayBeGranted({ ...update, ownedByTeam: false }, session);
}
