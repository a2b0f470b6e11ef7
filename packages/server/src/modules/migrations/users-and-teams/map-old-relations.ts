import type { EntityChangeBody } from '@portolan/contract/entities';
import { followsMapping } from '../../../platform/client-kind.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { blueprintRelations, type StoredBlueprint } from '../../blueprints/index.ts';
import type { RewrittenBody } from '../../entities/maintenance.ts';
import { noteOldWriter } from '../../organizations/index.ts';
import { findOldRelations } from './old-relations.store.ts';

/**
 * For some weeks after the migration, reads values that integrations write under a removed relation to teams as teams,
 * because mappings are updated later than the model (users-and-teams §2.5). An explicit `team` in the body wins. Costs
 * nothing if the blueprint has all the relations written.
 */
export async function followOldRelations<Body extends Pick<EntityChangeBody, 'relations' | 'team'>>(
  work: Work,
  blueprint: StoredBlueprint,
  bodies: readonly Body[],
): Promise<RewrittenBody<Body>[]> {
  const { tx, actor, now } = work;
  const asWritten = () => bodies.map((body) => ({ body, warnings: [] }));
  if (!followsMapping(actor)) return asWritten();
  const known = blueprintRelations(blueprint);
  const names = new Set(bodies.flatMap(({ relations }) => Object.keys(relations ?? {})));
  const unknown = [...names].filter((name) => !Object.hasOwn(known, name));
  if (unknown.length === 0) return asWritten();
  const old = await findOldRelations(tx, blueprint, unknown, now);
  for (const relation of old) {
    await noteOldWriter(work, { kind: 'entity', identifier: blueprint.identifier, relation });
  }
  return bodies.map((body) => {
    const used = Object.keys(body.relations ?? {}).filter((name) => old.has(name));
    const [relation] = used;
    if (relation === undefined) return { body, warnings: [] };
    const others = Object.entries(body.relations ?? {}).filter(([name]) => !old.has(name));
    const team = body.team === undefined ? (body.relations?.[relation] ?? null) : body.team;
    return {
      body: { ...body, relations: Object.fromEntries(others), team },
      warnings: used.map(
        (name) =>
          `"${name}" of "${blueprint.identifier}" is no relation any more: map "team" instead, as is done for now`,
      ),
    };
  });
}
