import { useCallback } from 'react';
import type { OperationName } from '../../api/api.ts';
import { addresses } from '../../api/operation-addresses.ts';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { t } from '../../kit/translate.ts';
import { needsText, type OwnRight } from './needs-text.ts';

/** Whether the server lets the user do something. Undefined until it has said so. */
export interface Permit {
  readonly isAllowed: boolean;
  /** Whom it is given to: "Admin, or Moderator of Service". */
  readonly needs: string;
}

const granted: Permit = { isAllowed: true, needs: '' };
const forAdmins: Permit = { isAllowed: false, needs: t('Admin') };

/** Whether operations of this kind are open to the user, as the session's answer says. */
export function useMay(operation: OperationName): Permit {
  const { access } = useSession();
  const needed = addresses[operation]?.access;
  return needed === 'public' || access.includes(needed as (typeof access)[number]) ? granted : forAdmins;
}

/**
 * Whether what is for administrators alone is open to the user, where the declaration of the operation cannot say it:
 * its refusal has a code of its own, or it is open to people about themselves too.
 */
export function useMayAdminister(): Permit {
  return useSession().access.includes('admin') ? granted : forAdmins;
}

/** Whether the user may add, change, sync and delete a source, as the server says with it. */
export function sourcePermit(isAllowed: boolean): Permit {
  return { isAllowed, needs: t('Admin, or Moderator of every type that the source writes') };
}

/** What the user may do with the entities of a blueprint, or with one of them. */
export function useOwnRights(blueprint: string, entity?: string) {
  const { data } = useRead('getOwnRights', {
    params: { blueprint_identifier: blueprint },
    query: entity === undefined ? {} : { entity },
  });
  const title = useRead('getBlueprint', { params: { blueprint_identifier: blueprint } }).data?.blueprint.title;
  const permit = useCallback(
    (right: OwnRight | undefined): Permit | undefined =>
      right && { isAllowed: right.allowed !== 'never', needs: needsText(right.needs, title) },
    [title],
  );
  return { rights: data?.rights, permit };
}
