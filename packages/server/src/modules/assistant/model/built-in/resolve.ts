import type { EntityInfo } from './catalog.ts';
import { type Link, linkName } from './link-names.ts';
import { type Condition, type NameRef, namesIn, type Query, type Reading, type TypedStep } from './query.ts';
import type { Schema, TypeInfo } from './schema.ts';

/** A reading whose names are known: `query` holds entities, and no condition whose relation is open. */
export interface Ready {
  readonly query: Query;
  readonly cost: number;
}

export interface Open {
  readonly name: NameRef;
  readonly link: Exclude<Link, { kind: 'linked' }>;
  readonly reading: Reading;
}

export interface Resolved {
  /** The cheapest first, each different from the others. */
  readonly ready: readonly Ready[];
  readonly open: readonly Open[];
  /** Readings whose entity is known, but not related to what is sought. */
  readonly unrelated: readonly Reading[];
}

/** Puts the found entities in the place of names, and tells what stays open. */
export function resolveReadings(readings: readonly Reading[], found: readonly EntityInfo[], schema: Schema): Resolved {
  const ready = new Map<string, Ready>();
  const open: Open[] = [];
  const unrelated: Reading[] = [];
  for (const reading of readings) {
    const links = namesIn(reading.query).map((name) => ({ name, link: linkName(name, found) }));
    const unlinked = links.find(({ link }) => link.kind !== 'linked');
    if (unlinked) {
      open.push({ name: unlinked.name, link: unlinked.link as Open['link'], reading });
      continue;
    }
    const entities = new Map(links.map(({ name, link }) => [name, link as Extract<Link, { kind: 'linked' }>]));
    const cost = links.reduce((sum, { name }) => sum + (entities.get(name)?.cost ?? 0), reading.cost);
    const queries = withEntities(reading.query, (name) => entities.get(name)?.entity, schema);
    if (queries.length === 0) unrelated.push(reading);
    for (const query of queries) {
      const key = JSON.stringify(query, (name, value) =>
        name === 'text' || name === 'types' || name === 'isBare' ? undefined : value,
      );
      const known = ready.get(key);
      if (!known || known.cost > cost) ready.set(key, { query, cost });
    }
  }
  return { ready: mergeSteps([...ready.values()].sort((a, b) => a.cost - b.cost)), open, unrelated };
}

type EntityOf = (name: NameRef) => EntityInfo | undefined;

/** The query with entities; one for each relation that an open condition may mean, none if there is no such relation. */
function withEntities(query: Query, entityOf: EntityOf, schema: Schema): Query[] {
  const named = (name: NameRef): NameRef => ({ text: name.text, ...toRef(entityOf(name)) });
  const conditions = (of: string, where: readonly Condition[]) =>
    resolveConditions(schema.find(of), where, entityOf, schema);
  switch (query.ask) {
    case 'type':
      return [query];
    case 'compare':
      return [{ ...query, names: [named(query.names[0]), named(query.names[1])] }];
    case 'list':
    case 'count':
    case 'exists':
    case 'group':
    case 'figure':
      return conditions(query.of, query.where).map((where) => ({ ...query, where }));
    case 'top': {
      const { by } = query;
      const counted = 'where' in by ? conditions(by.type, by.where).map((where) => ({ ...by, where })) : [by];
      return conditions(query.of, query.where).flatMap((where) =>
        counted.map((each) => ({ ...query, where, by: each })),
      );
    }
    default:
      return [{ ...query, name: named(query.name) }];
  }
}

function toRef(entity: EntityInfo | undefined): Pick<NameRef, 'entity'> {
  return entity ? { entity } : {};
}

function resolveConditions(
  type: TypeInfo | undefined,
  where: readonly Condition[],
  entityOf: EntityOf,
  schema: Schema,
): Condition[][] {
  return where.reduce<Condition[][]>(
    (before, condition) => {
      const options = type ? resolveCondition(type, condition, entityOf, schema) : [];
      return before.flatMap((each) => options.map((option) => [...each, option]));
    },
    [[]],
  );
}

function resolveCondition(type: TypeInfo, condition: Condition, entityOf: EntityOf, schema: Schema): Condition[] {
  const named = (name: NameRef): NameRef => ({ text: name.text, ...toRef(entityOf(name)) });
  switch (condition.kind) {
    case 'person':
    case 'step':
      return [{ ...condition, name: named(condition.name) }];
    case 'owned':
      return condition.team === 'caller' ? [condition] : [{ ...condition, team: named(condition.team) }];
    case 'has': {
      const { counted } = condition;
      const inner = resolveConditions(schema.find(counted.type), counted.where, entityOf, schema);
      return inner.map((where) => ({ ...condition, counted: { ...counted, where } }));
    }
    case 'linked': {
      const entity = entityOf(condition.name);
      return entity ? relationsTo(type, entity, named(condition.name), schema) : [];
    }
    default:
      return [condition];
  }
}

/** The ways in which things of a type are linked to an entity: owned by it, or over one relation of either side. */
function relationsTo(type: TypeInfo, { blueprint = '' }: EntityInfo, name: NameRef, schema: Schema): Condition[] {
  if (blueprint === '_team') return [{ kind: 'owned', team: name }];
  const step = (relation: string, title: string, way: 'forth' | 'back'): Condition => ({
    kind: 'step',
    step: { relation, title, way },
    name,
    isClosure: false,
  });
  const forth = type.fields
    .filter(({ target }) => target === blueprint)
    .map(({ key, title }) => step(key, title, 'forth'));
  const other = schema.find(blueprint);
  const back = (other?.fields ?? [])
    .filter(({ target }) => target === type.id)
    .map(({ key, title }) => step(key, title, 'back'));
  const people = blueprint === '_user' ? type.fields.filter(({ format }) => format === 'user') : [];
  return [...forth, ...back, ...people.map((field): Condition => ({ kind: 'person', field, name }))];
}

/** "What depends on X" asks for things of every type that may: equal readings of it are one with several types. */
function mergeSteps(ready: readonly Ready[]): Ready[] {
  const merged: Ready[] = [];
  for (const each of ready) {
    const { query } = each;
    const at = merged.findIndex(
      ({ query: other, cost }) =>
        query.ask === 'linked' &&
        other.ask === 'linked' &&
        cost === each.cost &&
        other.isClosure === query.isClosure &&
        other.name.entity === query.name.entity &&
        !other.steps.some(({ type }) => query.steps.some((step) => step.type === type)),
    );
    const before = merged[at];
    if (query.ask !== 'linked' || before?.query.ask !== 'linked') merged.push(each);
    else
      merged[at] = {
        ...before,
        query: { ...before.query, steps: [...before.query.steps, ...(query.steps as TypedStep[])] },
      };
  }
  return merged;
}
