import { isDeepStrictEqual } from 'node:util';
import type { TimelineEvent } from '@portolan/contract/entity-timeline';
import { isRecord, toRecord } from '@portolan/contract/json-value';
import { blueprintProperties, blueprintRelations, type StoredBlueprint } from '../../blueprints/index.ts';
import type { StoredRecord } from '../../journal/index.ts';

type TeamNames = ReadonlyMap<string, string>;

/** Fields told by name; more are counted. */
const namedMax = 3;
const shortMax = 60;

/**
 * Records of an entity as events. Records that changed nothing people wrote are left out: computed values follow from
 * others, and may be hidden from the reader.
 */
export function describeRecords(
  records: readonly StoredRecord[],
  blueprint: StoredBlueprint,
  names: TeamNames,
): TimelineEvent[] {
  return records.flatMap((record) => {
    const told = describe(record, blueprint, names);
    if (!told) return [];
    const by = record.actorKind === 'person' ? { by: record.actorId } : {};
    return [{ at: record.at.toISOString(), ...told, ...by, audit: record.id }];
  });
}

/** References to all teams that the events name. */
export function teamsChangedIn(records: readonly StoredRecord[]): string[] {
  const found = records.flatMap(({ before, after }) => {
    const [one, other] = [teamsOf(before), teamsOf(after)];
    return isDeepStrictEqual(one, other) ? [] : [...one, ...other];
  });
  return [...new Set(found)];
}

function describe(
  { action, before, after, context }: StoredRecord,
  blueprint: StoredBlueprint,
  names: TeamNames,
): Pick<TimelineEvent, 'kind' | 'title'> | undefined {
  if (action === 'CREATE') return { kind: 'created', title: 'Created' };
  if (action === 'TIMER_EXPIRED') {
    return { kind: 'timer', title: `${propertyTitle(blueprint, context['property'] ?? '')} ended` };
  }
  if (action !== 'UPDATE' || !isRecord(before) || !isRecord(after)) return undefined;
  const [teamsBefore, teamsAfter] = [teamsOf(before), teamsOf(after)];
  const others = listChanges(before, after, blueprint);
  if (!isDeepStrictEqual(teamsBefore, teamsAfter)) {
    const owner = `Owner: ${nameTeams(teamsBefore, names)} → ${nameTeams(teamsAfter, names)}`;
    return { kind: 'owner', title: others.length === 0 ? owner : `${owner}, ${others.length} more changed` };
  }
  const [only] = others;
  if (!only) return undefined;
  if (others.length === 1 && only.values) return { kind: 'changed', title: `${only.name}: ${only.values}` };
  const named = others.slice(0, namedMax).map(({ name }) => name);
  const more = others.length - named.length;
  return { kind: 'changed', title: `${named.join(', ')}${more > 0 ? ` and ${more} more` : ''} changed` };
}

interface Change {
  readonly name: string;
  /** Both values in words; undefined where they are long, or name other entities. */
  readonly values?: string | undefined;
}

function listChanges(
  before: Readonly<Record<string, unknown>>,
  after: Readonly<Record<string, unknown>>,
  blueprint: StoredBlueprint,
): Change[] {
  const heads = (['identifier', 'title', 'icon'] as const).flatMap((key): Change[] =>
    isDeepStrictEqual(before[key], after[key])
      ? []
      : [{ name: `${key.charAt(0).toUpperCase()}${key.slice(1)}`, values: valuesInWords(before[key], after[key]) }],
  );
  const properties = changedKeys(before['properties'], after['properties']).map(({ key, one, other }) => ({
    name: propertyTitle(blueprint, key),
    values: valuesInWords(one, other),
  }));
  // targets may be hidden from the reader, so their names are not told
  const relations = changedKeys(before['relations'], after['relations']).map(({ key }) => ({
    name: titleIn(blueprintRelations(blueprint)[key]) ?? key,
  }));
  return [...heads, ...properties, ...relations];
}

function changedKeys(before: unknown, after: unknown): { key: string; one: unknown; other: unknown }[] {
  const [ones, others] = [toRecord(before), toRecord(after)];
  return [...new Set([...Object.keys(ones), ...Object.keys(others)])]
    .filter((key) => !isDeepStrictEqual(ones[key], others[key]))
    .map((key) => ({ key, one: ones[key], other: others[key] }));
}

function valuesInWords(one: unknown, other: unknown): string | undefined {
  const [before, after] = [shortText(one), shortText(other)];
  return before === undefined || after === undefined ? undefined : `${before} → ${after}`;
}

function shortText(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return 'empty';
  if (typeof value === 'object') return undefined;
  const text = String(value);
  return text.length <= shortMax && !text.includes('\n') ? text : undefined;
}

function propertyTitle(blueprint: StoredBlueprint, key: string): string {
  return titleIn(blueprintProperties(blueprint)[key]) ?? key;
}

function titleIn(shape: unknown): string | undefined {
  const { title } = toRecord(shape);
  return typeof title === 'string' && title !== '' ? title : undefined;
}

function teamsOf(state: unknown): readonly string[] {
  const { teamRefs } = toRecord(state);
  return Array.isArray(teamRefs) ? teamRefs.map(String) : [];
}

function nameTeams(references: readonly string[], names: TeamNames): string {
  const known = references.flatMap((reference) => names.get(reference) ?? []);
  return known.length === 0 ? 'nobody' : known.join(', ');
}
