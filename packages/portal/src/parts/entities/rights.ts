import { useMemo } from 'react';
import type { OwnRight } from '../access/needs-text.ts';
import { useOwnRights } from '../access/permit.ts';

/** What to offer the user on the entities of a blueprint, or on one of them, as the server says. */
export function useOffers(blueprint: string, entity?: string) {
  const { rights, permit } = useOwnRights(blueprint, entity);
  // the same as long as the answer is: columns of tables are made from it
  return useMemo(() => {
    const offers = (right: OwnRight | undefined) => right !== undefined && right.allowed !== 'never';
    return {
      register: offers(rights?.register),
      update: offers(rights?.edit),
      unregister: offers(rights?.unregister),
      property: (key: string) => offers(rights?.updateProperties[key] ?? rights?.update),
      relation: (key: string) => offers(rights?.updateRelations[key] ?? rights?.update),
      permits: {
        register: permit(rights?.register),
        edit: permit(rights?.edit),
        unregister: permit(rights?.unregister),
      },
    };
  }, [rights, permit]);
}
