import type { DataMigrationMapping } from '@portolan/contract/data-migrations';
import { entityBody } from '@portolan/contract/entities';
import { type JqValue, mappingMillisecondsMax } from '@portolan/jq';
import { AppError, invalidRequest } from '../../platform/errors.ts';
import { shareTime } from '../../platform/evaluation-time.ts';
import { firstOutput } from '../../platform/expressions.ts';
import { toIssues } from '../../platform/http/issues.ts';
import type { EntityWrite } from '../access/index.ts';
import { toEntityWrite } from '../entities/index.ts';

/** Most items from one source entity. */
const itemsMax = 500;

/** Target blueprint: a plain name or a quoted JQ text; the source if absent. */
export function readTargetName({ blueprint }: DataMigrationMapping, source: string): string {
  if (blueprint === undefined) return source;
  const quoted = /^\s*(["'])(.*)\1\s*$/.exec(blueprint);
  return quoted ? (quoted[2] as string) : blueprint;
}

export function listExpressions({ filter, itemsToParse, entity }: DataMigrationMapping): [string, string][] {
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
 * Pure. The filter runs per item and must return `true`. All expressions share a second.
 * @throws AppError, or an error of the expression
 */
export function mapItems(mapping: DataMigrationMapping, entity: JqValue, now: Date): EntityWrite[] {
  const time = shareTime(now, mappingMillisecondsMax);
  const evaluate: Evaluate = (expression, root) => firstOutput('data migration', expression, root, time);
  const roots = mapping.itemsToParse === undefined ? [entity] : evaluateRoots(mapping.itemsToParse, entity, evaluate);
  return roots
    .filter((root) => mapping.filter === undefined || evaluate(mapping.filter, root) === true)
    .map((root) => itemFrom(mapping, root, evaluate));
}

type Evaluate = (expression: string, root: JqValue) => JqValue | undefined;

/** With `itemsToParse`, each expression's root is the entity plus one `item`, as in integration mappings. */
function evaluateRoots(expression: string, entity: JqValue, evaluate: Evaluate): JqValue[] {
  const list = evaluate(expression, entity);
  if (!Array.isArray(list)) throw new AppError('invalid_request', 'itemsToParse is not a list');
  if (list.length > itemsMax) throw new AppError('invalid_request', `itemsToParse has more than ${itemsMax} items`);
  return list.map((item) => ({ ...(entity as Record<string, JqValue>), item }));
}

/** A key whose expression yields nothing is left out, which keeps the target's value. */
function itemFrom({ entity }: DataMigrationMapping, root: JqValue, evaluate: Evaluate): EntityWrite {
  const read = (expression: string | undefined) => (expression === undefined ? undefined : evaluate(expression, root));
  const readAll = (expressions: Readonly<Record<string, string>> | undefined) =>
    expressions &&
    Object.fromEntries(
      Object.entries(expressions).flatMap(([key, expression]) => {
        const value = read(expression);
        return value === undefined ? [] : [[key, value]];
      }),
    );
  const body = {
    // no result counts as null: a generated identifier would create another entity on every run
    identifier: read(entity.identifier ?? '.identifier') ?? null,
    title: read(entity.title),
    icon: read(entity.icon),
    team: read(entity.team),
    properties: readAll(entity.properties),
    relations: readAll(entity.relations),
  };
  const given = Object.fromEntries(Object.entries(body).filter(([, value]) => value !== undefined));
  const parsed = entityBody.safeParse(given);
  if (!parsed.success) throw invalidRequest(toIssues(parsed.error, given), 'The mapped entity');
  return toEntityWrite(parsed.data);
}
