import type { DataMigrationMapping } from '@portolan/contract/data-migrations';
import { entityBody } from '@portolan/contract/entities';
import type { JqValue } from '@portolan/jq';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { compileExpression } from '../../platform/expressions.ts';
import { issuesOf } from '../../platform/http/issues.ts';
import type { Item } from '../access/index.ts';
import { itemOf } from '../entities/index.ts';

/** What one source entity may become. */
const itemsMax = 500;

/** The blueprint that is written: a name as it is, or a JQ text in quotes; the source unless told. */
export function targetNameOf({ blueprint }: DataMigrationMapping, source: string): string {
  if (blueprint === undefined) return source;
  const quoted = /^\s*(["'])(.*)\1\s*$/.exec(blueprint);
  return quoted ? (quoted[2] as string) : blueprint;
}

/** Every expression of a mapping with its path. */
export function expressionsOf({ filter, itemsToParse, entity }: DataMigrationMapping): [string, string][] {
  const { properties, relations, ...texts } = entity;
  const found: [string, string | undefined][] = [
    ['/filter', filter],
    ['/itemsToParse', itemsToParse],
    ...Object.entries(texts).map(([key, text]): [string, string | undefined] => [`/entity/${key}`, text]),
    ...Object.entries(properties ?? {}).map(([key, text]): [string, string] => [`/entity/properties/${key}`, text]),
    ...Object.entries(relations ?? {}).map(([key, text]): [string, string] => [`/entity/relations/${key}`, text]),
  ];
  return found.filter((each): each is [string, string] => each[1] !== undefined);
}

/**
 * What a source entity becomes; the filter is asked for each item and must be `true`. Pure.
 * @throws AppError, or an error of the expression
 */
export function itemsOf(mapping: DataMigrationMapping, entity: JqValue, now: Date): Item[] {
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
    // nothing counts as null here: an identifier made up anew would make another entity with every run
    identifier: read(entity.identifier ?? '.identifier') ?? null,
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
  return compileExpression('data migration', expression).first(root, { now });
}
