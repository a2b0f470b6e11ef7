import { useMemo } from 'react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { type Grant, mayBeGranted } from './grants.ts';

/** What to offer the user on the entities of a blueprint. */
export function useOffers(blueprint: string) {
  const session = useSession();
  const { data } = useRead('getBlueprintPermissions', { params: { blueprint_identifier: blueprint } });
  const entities = data?.permissions.entities;
  // the same as long as the answer is: columns of tables are made from it
  return useMemo(() => {
    const offers = (grant: Grant | undefined) => entities !== undefined && mayBeGranted(grant, session);
    return {
      register: offers(entities?.register),
      update: offers(entities?.update),
      unregister: offers(entities?.unregister),
      property: (key: string) => offers(entities?.updateProperties[key] ?? entities?.update),
      relation: (key: string) => offers(entities?.updateRelations[key] ?? entities?.update),
    };
  }, [entities, session]);
}
