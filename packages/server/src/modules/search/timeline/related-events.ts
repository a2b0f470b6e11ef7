import { factKind, factMoment, factState, readOutcome } from '@portolan/contract/entity-facts';
import type { TimelineEvent } from '@portolan/contract/entity-timeline';
import type { Actor } from '../../../platform/actor.ts';
import { openScope, readConditions } from '../../access/index.ts';
import { blueprintRelations, type StoredBlueprint } from '../../blueprints/index.ts';
import type { ReadDeps } from '../../entities/index.ts';
import { shownOperand } from '../../entity-query/index.ts';
import { can } from '../../rights/index.ts';
import { selectPointing } from './related-events.store.ts';

/** Blueprints that are read for one timeline. */
const blueprintsMax = 20;

interface Targets {
  readonly blueprints: ReadonlySet<string>;
  readonly keys: readonly number[];
}

/** An event with the key of the entity that it points to. */
interface RelatedEvent {
  readonly target: number;
  readonly event: TimelineEvent;
}

/** Deployments and incidents that point to one of the entities and that the caller may read. */
export async function relatedEvents(
  deps: ReadDeps,
  actor: Actor,
  targets: Targets,
  window: { readonly from: Date; readonly to: Date; readonly limit: number },
  all: readonly StoredBlueprint[],
): Promise<RelatedEvent[]> {
  const sources = all.flatMap((blueprint) => {
    const { identifier, definition } = blueprint;
    const kind = factKind({ identifier, title: definition.title });
    const relations = Object.entries(blueprintRelations(blueprint))
      .filter(([, relation]) => targets.blueprints.has(relation.target))
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
      const of = {
        targets: targets.keys,
        blueprint,
        relations,
        moment,
        state,
        condition: readable(blueprint),
        ...window,
      };
      const rows = await selectPointing(deps.database, actor.orgId, of);
      return rows.map(({ at, identifier, title, state: value, target }): RelatedEvent => {
        const outcome = readOutcome(value);
        const event = {
          at: at.toISOString(),
          kind,
          title: title || identifier,
          ...(outcome ? { outcome } : {}),
          entity: { blueprint: blueprint.identifier, identifier },
        };
        return { target, event };
      });
    }),
  );
  return found.flat();
}
