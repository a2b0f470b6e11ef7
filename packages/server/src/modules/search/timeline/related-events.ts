import { factKind, factMoment, factState, readOutcome } from '@portolan/contract/entity-facts';
import type { TimelineEvent } from '@portolan/contract/entity-timeline';
import type { Actor } from '../../../platform/actor.ts';
import { openScope, readConditions } from '../../access/index.ts';
import { blueprintRelations, listBlueprintRows, type StoredBlueprint } from '../../blueprints/index.ts';
import type { ReadDeps } from '../../entities/index.ts';
import { shownOperand } from '../../entity-query/index.ts';
import { can } from '../../rights/index.ts';
import { selectPointing } from './related-events.store.ts';

/** Blueprints that are read for one timeline. */
const blueprintsMax = 20;

/** Deployments and incidents that point to the entity and that the caller may read, newest first. */
export async function relatedEvents(
  deps: ReadDeps,
  actor: Actor,
  target: StoredBlueprint,
  key: number,
  window: { readonly from: Date; readonly to: Date; readonly limit: number },
): Promise<TimelineEvent[]> {
  const all = await listBlueprintRows(deps.database, actor.orgId);
  const sources = all.flatMap((blueprint) => {
    const { identifier, definition } = blueprint;
    const kind = factKind({ identifier, title: definition.title });
    const relations = Object.entries(blueprintRelations(blueprint))
      .filter(([, relation]) => relation.target === target.identifier)
      .map(([relation]) => relation);
    return kind && relations.length > 0 && can(actor, 'read', blueprint) ? [{ blueprint, kind, relations }] : [];
  });
  const read = sources.slice(0, blueprintsMax);
  if (read.length === 0) return [];
  const scope = await openScope(deps, actor, undefined, all);
  const readable = await readConditions(
    deps,
    actor,
    read.map(({ blueprint }) => blueprint),
  );
  const found = await Promise.all(
    read.map(async ({ blueprint, kind, relations }) => {
      const { hidden } = scope.contextOf(blueprint);
      const moment = shownOperand(factMoment(kind, blueprint.definition), blueprint, hidden)?.moment;
      if (!moment) return [];
      const state = factState(blueprint.definition)?.key ?? '';
      const of = { target: key, blueprint, relations, moment, state, condition: readable(blueprint), ...window };
      const rows = await selectPointing(deps.database, actor.orgId, of);
      return rows.map(({ at, identifier, title, state: value }): TimelineEvent => {
        const outcome = readOutcome(value);
        return {
          at: at.toISOString(),
          kind,
          title: title || identifier,
          ...(outcome ? { outcome } : {}),
          entity: { blueprint: blueprint.identifier, identifier },
        };
      });
    }),
  );
  return found.flat();
}
