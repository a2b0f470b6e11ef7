import type { BlueprintBody } from '@portolan/contract/blueprints';
import type { Work } from '../../platform/unit-of-work.ts';
import { unchanged } from '../accounts/index.ts';
import { lockBlueprint, updateBlueprintRow } from './blueprint.store.ts';
import type { StoredBlueprint } from './blueprint.ts';
import type { BlueprintListener } from './blueprint-listener.ts';
import { recordBlueprint } from './record-blueprint.ts';
import { type AgentSchema, systemBlueprint } from './system-blueprints.ts';

/** Blueprints that the cutover changes. */
const changing = ['_ai_agent', '_ai_invocations'] as const;

const maps = ['relations', 'mirrorProperties', 'calculationProperties', 'aggregationProperties'] as const;

/**
 * Moves the blueprints of agents and invocations to another schema; true if anything changed. Additions of the
 * organization stay; values of removed fields are dropped, so update entities first.
 */
export async function moveAgentSchema(
  { listener }: { readonly listener: BlueprintListener },
  work: Work,
  to: AgentSchema,
): Promise<boolean> {
  const { tx, actor, now } = work;
  let hasChanged = false;
  for (const identifier of changing) {
    const before = await lockBlueprint(tx, actor.orgId, identifier);
    const target = systemBlueprint(identifier, actor.model, to);
    if (!before || !target) continue;
    const definition = rebased(before, target, actor.model);
    if (JSON.stringify(definition) === JSON.stringify(before.definition)) continue;
    const after = await updateBlueprintRow(tx, unchanged({ ...before, definition }), actor, now);
    await listener.adapt(work, before, after);
    recordBlueprint(work, 'UPDATE', before, after);
    hasChanged = true;
  }
  return hasChanged;
}

/** Replaces any earlier base by the new one, keeping the organization's own parts. */
function rebased(
  { identifier, definition }: StoredBlueprint,
  { identifier: _, ...target }: BlueprintBody,
  model: Work['actor']['model'],
): StoredBlueprint['definition'] {
  const bases = (['old', 'both', 'new'] as const).flatMap((schema) => systemBlueprint(identifier, model, schema) ?? []);
  const ownOf = (own: object | undefined, base: (body: BlueprintBody) => object | undefined) => {
    const managed = new Set(bases.flatMap((body) => Object.keys(base(body) ?? {})));
    return Object.fromEntries(Object.entries(own ?? {}).filter(([key]) => !managed.has(key)));
  };
  const properties = ownOf(definition.schema.properties, (body) => body.schema.properties);
  const managedRequired = new Set(bases.flatMap(({ schema }) => schema.required ?? []));
  const required = (definition.schema.required ?? []).filter((key) => !managedRequired.has(key));
  const merged: Record<string, unknown> = {
    ...definition,
    ...target,
    schema: {
      properties: { ...target.schema.properties, ...properties },
      required: [...(target.schema.required ?? []), ...required],
    },
  };
  for (const map of maps) {
    const own = ownOf(definition[map], (body) => body[map]);
    const all = { ...target[map], ...own };
    if (Object.keys(all).length > 0) merged[map] = all;
    else delete merged[map];
  }
  return merged as unknown as StoredBlueprint['definition'];
}
