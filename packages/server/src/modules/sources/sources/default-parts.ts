import type { Reader } from '../../../platform/db/database.ts';
import { blueprintRelations, findBlueprint } from '../../blueprints/index.ts';
import type { ModelMapping, SourceParts, SourceType } from '../source-type.ts';

/** What a kind of source writes in an organization with these settings, unless its mapping says otherwise. */
export async function defaultParts(
  reader: Reader,
  orgId: string,
  type: SourceType,
  settings: Readonly<Record<string, unknown>>,
): Promise<SourceParts> {
  const optional = type.optionalParts?.(settings);
  const ofModel =
    type.modelMapping && (await hasModel(reader, orgId, type.modelMapping)) ? type.modelMapping : undefined;
  return {
    blueprints: [...type.blueprints, ...(optional?.blueprints ?? [])],
    mapping: [...type.defaultMapping, ...(ofModel?.resources ?? []), ...(optional?.mapping ?? [])],
  };
}

async function hasModel(
  reader: Reader,
  orgId: string,
  { blueprint, relation, target }: ModelMapping,
): Promise<boolean> {
  const stored = await findBlueprint(reader, orgId, blueprint);
  return stored !== undefined && blueprintRelations(stored)[relation]?.target === target;
}

/** What changed settings ask for besides, for kinds of which the mapping says nothing yet. */
export function partsToAdd(
  type: SourceType,
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  mapping: SourceParts['mapping'],
): SourceParts {
  const known = new Set([...mapping, ...(type.optionalParts?.(before).mapping ?? [])].map(({ kind }) => kind));
  const optional = type.optionalParts?.(after);
  const isNew = optional?.mapping.filter(({ kind }) => !known.has(kind)) ?? [];
  return { blueprints: isNew.length > 0 ? (optional?.blueprints ?? []) : [], mapping: isNew };
}
