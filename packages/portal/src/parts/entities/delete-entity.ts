import { useQueryClient } from '@tanstack/react-query';
import { call, errorCode } from '../../api/api.ts';
import { useConfirm } from '../confirm.tsx';
import { useToast } from '../toasts.tsx';

interface Deletion {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
}

/** Deletes an entity after asking; Undo writes it anew. True where it is gone. */
export function useDeleteEntity(): (deletion: Deletion) => Promise<boolean> {
  const confirm = useConfirm();
  const toast = useToast();
  const queries = useQueryClient();
  const refresh = () =>
    Promise.all(
      ['searchBlueprintEntities', 'getEntity', 'countEntities', 'groupBlueprintEntities'].map((name) =>
        queries.invalidateQueries({ queryKey: [name] }),
      ),
    );
  return async ({ blueprint, identifier, title }) => {
    const isSure = await confirm({
      title: `Delete ${title}`,
      consequence: 'The entity and what it says of itself are deleted. Relations that lead to it stay empty.',
      verb: 'Delete',
    });
    if (!isSure) return false;
    const params = { blueprint_identifier: blueprint, entity_identifier: identifier };
    try {
      const { entity } = await call('getEntity', { params, query: { exclude_calculated_properties: true } });
      try {
        await call('deleteEntity', { params });
      } catch (error) {
        if (errorCode(error) !== 'has_dependents') throw error;
        const isSureOfAll = await confirm({
          title: `Delete ${title} and what requires it`,
          consequence: (error as Error).message,
          verb: 'Delete them all',
        });
        if (!isSureOfAll) return false;
        await call('deleteEntity', { params, query: { delete_dependents: true } });
        await refresh();
        toast(`${title} and what required it were deleted`);
        return true;
      }
      await refresh();
      const { title: name, icon, team, properties, relations } = entity;
      toast({
        text: `${title} was deleted`,
        undo: async () => {
          await call('createEntity', {
            params: { blueprint_identifier: blueprint },
            body: {
              identifier,
              title: name ?? null,
              icon: icon ?? null,
              team: team ?? [],
              properties: withoutNulls(properties),
              relations: withoutNulls(relations) as never,
            },
          });
          await refresh();
        },
      });
      return true;
    } catch (error) {
      toast({ text: (error as Error).message, kind: 'failure' });
      return false;
    }
  };
}

function withoutNulls(values: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null));
}
