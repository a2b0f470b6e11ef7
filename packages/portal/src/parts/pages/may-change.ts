import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { t } from '../../kit/translate.ts';
import { needsText } from '../access/needs-text.ts';
import type { Permit } from '../access/permit.ts';

type Page = AnswerOf<'getPage'>['page'];
export type ChangeablePage = Pick<Page, 'identifier' | 'locked'>;

/** Whether the user may change a page, as the server says. */
export function useMayChangePage({ identifier, locked }: ChangeablePage): Permit | undefined {
  const { data } = useRead('getPagePermissions', { params: { page_identifier: identifier } });
  if (!data) return undefined;
  const { roles, teams, users } = data.permissions.update;
  const needs = locked
    ? t('Admin, because this page is locked')
    : needsText({
        roles: [...new Set(['Admin', ...roles])],
        teams,
        people: users.length > 0,
        ownedByTeam: false,
        policy: false,
      });
  return { isAllowed: data.allowed.update, needs };
}
