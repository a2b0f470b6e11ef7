import type { Reader } from '../../platform/db/database.ts';
import { listActionRows } from '../actions/index.ts';
import { listBlueprintRows, type StoredBlueprint } from '../blueprints/index.ts';
import { listPageRows } from '../pages/index.ts';
import { listScorecardRows } from '../scorecard-rules/index.ts';
import { type Item, itemId, listParts } from './pack-item.ts';

/** Everything of an organization that a pack could have made, by `itemId`. */
export interface Definitions {
  readonly items: ReadonlyMap<string, Item>;
  readonly blueprints: ReadonlyMap<string, StoredBlueprint>;
  /** For each item that lies by a blueprint without being a part of it, that blueprint. */
  readonly beside: readonly { readonly id: string; readonly blueprint: string; readonly isAutomatic: boolean }[];
}

/** Rights belong to a definition: what people set makes an item theirs. */
export async function readDefinitions(reader: Reader, orgId: string): Promise<Definitions> {
  const blueprints = await listBlueprintRows(reader, orgId);
  const items: Item[] = [];
  const beside: Definitions['beside'][number][] = [];
  for (const blueprint of blueprints) {
    const { identifier, definition, rights } = blueprint;
    const { schema, relations: _r, mirrorProperties: _m, calculationProperties: _c, ...rest } = definition;
    const { aggregationProperties: _a, ...shell } = rest;
    const { required = null } = schema;
    items.push({ kind: 'blueprint', blueprint: '', identifier, definition: { ...shell, required, rights } });
    items.push(...listParts({ identifier, ...definition }));
  }
  const names = new Map(blueprints.map(({ key, identifier }) => [key, identifier]));
  for (const { blueprintKey, identifier, definition } of await listScorecardRows(reader, orgId)) {
    const blueprint = names.get(blueprintKey) ?? '';
    const item: Item = { kind: 'scorecard', blueprint, identifier, definition };
    items.push(item);
    beside.push({ id: itemId(item), blueprint, isAutomatic: false });
  }
  for (const { blueprintKey, identifier, definition, rights } of await listActionRows(reader, orgId)) {
    const item: Item = { kind: 'action', blueprint: '', identifier, definition: { ...definition, rights } };
    items.push(item);
    const blueprint = blueprintKey === null ? undefined : names.get(blueprintKey);
    if (blueprint !== undefined) beside.push({ id: itemId(item), blueprint, isAutomatic: false });
  }
  for (const page of await listPageRows(reader, orgId)) {
    const { identifier, type, blueprint, definition, owner, rights, updatedBy } = page;
    const item: Item = {
      kind: 'page',
      blueprint: '',
      identifier,
      definition: { ...definition, type, blueprint, owner, rights },
    };
    items.push(item);
    if (blueprint !== null) beside.push({ id: itemId(item), blueprint, isAutomatic: updatedBy === 'portolan' });
  }
  return {
    items: new Map(items.map((item) => [itemId(item), item])),
    blueprints: new Map(blueprints.map((each) => [each.identifier, each])),
    beside,
  };
}
