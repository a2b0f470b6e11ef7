import { type DataMigrationMapping, entityBody } from '@portolan/contract';
import { compile, type JqValue, replaceSingleQuotes } from '@portolan/jq';
import sql from 'sql-template-tag';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { issuesOf } from '../../../platform/http/issues.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { holdBlueprint, listBlueprintRows } from '../../blueprints/index.ts';
import type { CatalogDeps } from '../catalog.deps.ts';
import { allOf, selectEntities, teamForm } from '../entity.store.ts';
import type { Item } from '../entity-write.ts';
import { presentEntity } from '../present-entity.ts';
import { itemOf, writeEntities } from '../write-entities.ts';
import type { Progress } from './data-migration.store.ts';
import type { StoredDataMigration } from './data-migration.ts';

/** Source entities mapped in one transaction, and what one of them may become. */
const partSize = 50;
const itemsMax = 500;

/** The blueprint that is written: a name as it is, or a JQ text in quotes; the source unless told. */
export function targetNameOf({ blueprint }: DataMigrationMapping, source: string): string {
  if (blueprint === undefined) return source;
  const quoted = /^\s*(["'])(.*)\1\s*$/.exec(blueprint);
  return quoted ? (quoted[2] as string) : blueprint;
}

/**
 * Maps the next entities and merges what comes out into the target. Every source entity counts once: as a failure if
 * one of its items is refused, and an item that is refused leaves the others as they are.
 */
export async function mapPart(deps: CatalogDeps, work: Work, migration: StoredDataMigration): Promise<Progress> {
  const { tx, actor } = work;
  const mapping = migration.mapping as DataMigrationMapping;
  const source = (await listBlueprintRows(tx, actor.orgId)).find(({ key }) => key === migration.blueprintKey);
  if (!source) throw notFound('Blueprint', migration.sourceBlueprint);
  const name = targetNameOf(mapping, source.identifier);
  const target = await holdBlueprint(tx, actor.orgId, name);
  if (!target) throw notFound('Blueprint', name);
  const condition = allOf([sql`e.blueprint_key = ${source.key}`, sql`e.key <= ${migration.untilKey}`]);
  const page = { afterKey: migration.lastKey, limit: partSize };
  const part = await selectEntities(tx, actor.orgId, condition, page, teamForm(actor.model));
  const failures = new Map<number, string>();
  const items: Item[] = [];
  const sourceOf: number[] = [];
  for (const entity of part) {
    try {
      for (const item of itemsOf(mapping, presentEntity(entity, source) as unknown as JqValue, work.now)) {
        items.push(item);
        sourceOf.push(entity.key);
      }
    } catch (error) {
      failures.set(entity.key, reasonOf(entity.identifier, error));
    }
  }
  const options = { mode: 'merge', expects: 'either', createMissingRelated: false } as const;
  const outcomes = await writeEntities(deps, work, target, items, options);
  outcomes.forEach((outcome, index) => {
    const item = items[index] as Item;
    if ('error' in outcome) failures.set(sourceOf[index] as number, reasonOf(item.target, outcome.error));
  });
  return {
    succeeded: part.length - failures.size,
    failed: failures.size,
    lastKey: part.at(-1)?.key,
    message: [...failures.values()].at(-1),
    ...(part.length < partSize ? { status: 'COMPLETED' } : {}),
  };
}

function reasonOf(identifier: string, error: unknown): string {
  const reason = error instanceof Error ? error.message : 'failed';
  return `${identifier}: ${reason}`.slice(0, 1000);
}

/** What one source entity becomes; the filter is asked for each item. */
function itemsOf(mapping: DataMigrationMapping, entity: JqValue, now: Date): Item[] {
  const roots = mapping.itemsToParse === undefined ? [entity] : rootsOf(mapping.itemsToParse, entity, now);
  return roots
    .filter((root) => mapping.filter === undefined || evaluate(mapping.filter, root, now) === true)
    .map((root) => itemFrom(mapping, root, now));
}

/** With `itemsToParse` the root of each expression is the entity with one `item` more, as in mappings of integrations. */
function rootsOf(expression: string, entity: JqValue, now: Date): JqValue[] {
  const list = evaluate(expression, entity, now);
  if (!Array.isArray(list)) throw new AppError('invalid_request', 'itemsToParse is not a list');
  if (list.length > itemsMax) throw new AppError('invalid_request', `itemsToParse has more than ${itemsMax} items`);
  return list.map((item) => ({ ...(entity as Record<string, JqValue>), item }));
}

/** Undefined where an expression yields nothing: the key is left out, which keeps what the target has. */
function itemFrom({ entity }: DataMigrationMapping, root: JqValue, now: Date): Item {
  const read = (expression: string | undefined) =>
    expression === undefined ? undefined : evaluate(expression, root, now);
  const readAll = (expressions: Readonly<Record<string, string>> | undefined) =>
    expressions &&
    Object.fromEntries(
      Object.entries(expressions).flatMap(([key, expression]) => {
        const value = read(expression);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  const body = {
    identifier: read(entity.identifier ?? '.identifier'),
    title: read(entity.title),
    icon: read(entity.icon),
    team: read(entity.team),
    properties: readAll(entity.properties),
    relations: readAll(entity.relations),
  };
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const parsed = entityBody.safeParse(given);
  if (!parsed.success) throw invalidRequest(issuesOf(parsed.error), 'The mapped entity');
  return itemOf(parsed.data);
}

function evaluate(expression: string, root: JqValue, now: Date): JqValue | undefined {
  return compile(replaceSingleQuotes(expression)).first(root, { now });
}
