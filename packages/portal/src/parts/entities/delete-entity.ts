import { call } from '../../api/api.ts';
import { useDelete } from '../../kit/delete.ts';
import { t } from '../../kit/translate.ts';
import { type Effect, listed } from '../effect/effect-sentence.ts';

interface Deletion {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string;
}

/** Deletes an entity after a confirmation that says what goes with it; Undo creates it again. True if deleted. */
export function useDeleteEntity(): (deletion: Deletion) => Promise<boolean> {
  const { ask } = useDelete('deleteEntity', {
    staleAfter: ['searchBlueprintEntities', 'getEntity', 'countEntities', 'groupBlueprintEntities'],
  });
  return async ({ blueprint, identifier, title }) => {
    const params = { blueprint_identifier: blueprint, entity_identifier: identifier };
    const effect = await previewOf(params);
    const all = { params, query: { delete_dependents: true } };
    const takesOthers = effect?.dependents.some((each) => !goAlone.has(each.blueprint.identifier)) ?? false;
    return ask({
      input: takesOthers ? all : { params },
      withDependents: all,
      name: title,
      consequence: deletionText(effect, takesOthers),
      // what goes along cannot be put back
      ...(takesOthers ? {} : { undo: () => undoFor(params) }),
    });
  };
}

type Params = { readonly blueprint_identifier: string; readonly entity_identifier: string };

/** What the platform keeps about an entity goes without being asked for. */
const goAlone = new Set(['_rule_result', '_rule']);

/** Undefined where it cannot be told beforehand: the deletion itself then says what stands in its way. */
async function previewOf(params: Params): Promise<Effect | undefined> {
  try {
    return (await call('previewDeletion', { params, query: { delete_dependents: true } })).effect;
  } catch {
    return undefined;
  }
}

function deletionText(effect: Effect | undefined, takesOthers: boolean): string {
  if (!effect) return t('The entity and its values are deleted. Relations that point to it become empty.');
  const { dependents, referencedBy, isPartial } = effect;
  const along =
    dependents.length > 0 ? `${t('This also deletes {dependents}.', { dependents: listed(dependents) })} ` : '';
  const stays =
    referencedBy.length > 0
      ? `${t('Relations become empty in {referencedBy}.', { referencedBy: listed(referencedBy) })} `
      : '';
  const unseen = isPartial ? `${t('Entities that you may not see are affected too.')} ` : '';
  const end = takesOthers ? t('This cannot be undone.') : t('You can undo this for ten seconds.');
  return `${along}${stays}${unseen}${end}`;
}

async function undoFor(params: Params) {
  const { entity } = await call('getEntity', { params, query: { exclude_calculated_properties: true } });
  const { title: name, icon, team, properties, relations } = entity;
  return () =>
    call('createEntity', {
      params: { blueprint_identifier: params.blueprint_identifier },
      body: {
        identifier: params.entity_identifier,
        title: name ?? null,
        icon: icon ?? null,
        team: team ?? [],
        properties: withoutNulls(properties),
        relations: withoutNulls(relations),
      },
    });
}

function withoutNulls(values: Readonly<Record<string, unknown>> | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(values ?? {}).filter(([, value]) => value !== null));
}
