import { call } from '../../api/api.ts';
import { useDelete } from '../../kit/delete.ts';

interface Deletion {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
}

/** Deletes an entity after a confirmation; Undo creates it again. True if deleted. */
export function useDeleteEntity(): (deletion: Deletion) => Promise<boolean> {
  const { ask } = useDelete('deleteEntity', {
    staleAfter: ['searchBlueprintEntities', 'getEntity', 'countEntities', 'groupBlueprintEntities'],
  });
  return ({ blueprint, identifier, title }) => {
    const params = { blueprint_identifier: blueprint, entity_identifier: identifier };
    return ask({
      input: { params },
      withDependents: { params, query: { delete_dependents: true } },
      name: title,
      consequence: 'The entity and what it says of itself are deleted. Relations that lead to it stay empty.',
      undo: async () => {
        const { entity } = await call('getEntity', { params, query: { exclude_calculated_properties: true } });
        const { title: name, icon, team, properties, relations } = entity;
        return () =>
          call('createEntity', {
            params: { blueprint_identifier: blueprint },
            body: {
              identifier,
              title: name ?? null,
              icon: icon ?? null,
              team: team ?? [],
              properties: withoutNulls(properties),
              relations: withoutNulls(relations),
            },
          });
      },
    });
  };
}

function withoutNulls(values: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null));
}
