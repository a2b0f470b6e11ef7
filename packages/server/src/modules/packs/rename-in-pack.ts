import { isRecord } from '@portolan/contract/json-value';
import type { PackFile } from '@portolan/contract/packs';
import { followScorecard } from '../blueprint-changes/index.ts';
import { followKey, type KeyRename } from '../blueprints/index.ts';
import { type ItemName, isPart, type PartKind } from './pack-item.ts';

/** The pack with another name for one of its items, wherever the pack itself refers to it. Pure. */
export function renameInPack(pack: PackFile, item: ItemName, to: string): PackFile {
  if (isPart(item)) return renamePart(pack, item, to);
  const isIt = ({ identifier }: { readonly identifier: string }): boolean => identifier === item.identifier;
  if (item.kind === 'scorecard') {
    const isHere = (each: PackFile['scorecards'][number]) => isIt(each) && each.blueprint === item.blueprint;
    return { ...pack, scorecards: pack.scorecards.map((each) => (isHere(each) ? { ...each, identifier: to } : each)) };
  }
  if (item.kind === 'page') {
    return { ...pack, pages: pack.pages.map((each) => (isIt(each) ? { ...each, identifier: to } : each)) };
  }
  const follow = (key: string, text: string): string => (key === 'action' && text === item.identifier ? to : text);
  return {
    ...pack,
    actions: pack.actions.map((each) => (isIt(each) ? { ...each, identifier: to } : each)),
    pages: pack.pages.map((page) => mapTexts(page, follow)),
  };
}

function renamePart(pack: PackFile, item: ItemName & { readonly kind: PartKind }, to: string): PackFile {
  const { kind, blueprint, identifier: from } = item;
  const isComputed = kind === 'calculation' || kind === 'aggregation';
  // whoever reads a computed value reads it the same way, whatever computes it
  const rename: KeyRename = { blueprint, kind: isComputed ? 'mirror' : kind, from, to };
  const definitions = [...pack.blueprints, ...pack.extends].map(({ identifier, ...definition }) => ({
    identifier,
    definition: { title: identifier, ...definition, schema: definition.schema ?? { properties: {} } },
  }));
  const changed = followKey(definitions, rename);
  const follow = <Body extends PackFile['extends'][number]>(body: Body): Body => {
    const next = changed.get(body.identifier);
    const { title: _title, ...followedParts } = next ?? { title: '' };
    const followed: Body = { ...body, ...followedParts };
    if (!isComputed || body.identifier !== blueprint) return followed;
    const map = kind === 'calculation' ? 'calculationProperties' : 'aggregationProperties';
    const entries = Object.entries(followed[map] ?? {}).map(([key, value]) => [key === from ? to : key, value]);
    return { ...followed, [map]: Object.fromEntries(entries) };
  };
  return {
    ...pack,
    blueprints: pack.blueprints.map(follow),
    extends: pack.extends.map(follow),
    scorecards: pack.scorecards.map((each) => (each.blueprint === blueprint ? followScorecard(each, rename) : each)),
    actions: pack.actions.map((action) => followAction(action, rename)),
    pages: pack.pages.map((page) => followWidgets(page, rename)),
  };
}

/** What an action sets on entities of the blueprint. */
function followAction(action: PackFile['actions'][number], { blueprint, kind, from, to }: KeyRename) {
  const { invocationMethod } = action;
  if (invocationMethod.type !== 'UPSERT_ENTITY' || invocationMethod.blueprintIdentifier !== blueprint) return action;
  const map = kind === 'relation' ? 'relations' : 'properties';
  const values = invocationMethod.mapping[map];
  if (!values) return action;
  const renamed = Object.fromEntries(Object.entries(values).map(([key, value]) => [key === from ? to : key, value]));
  return {
    ...action,
    invocationMethod: { ...invocationMethod, mapping: { ...invocationMethod.mapping, [map]: renamed } },
  };
}

/** Widgets about the blueprint name its keys in many members, bare or with their kind before a hash. */
function followWidgets<Value>(value: Value, rename: KeyRename): Value {
  if (Array.isArray(value)) return value.map((each) => followWidgets(each, rename)) as Value;
  if (!isRecord(value)) return value;
  const { blueprint, from, to } = rename;
  if (value['blueprint'] !== blueprint) {
    return mapMembers(value, (_key, member) => followWidgets(member, rename)) as Value;
  }
  const named = new Map(
    [from, `property#${from}`, `relation#${from}`].map((name) => [name, name.replace(/[^#]+$/, to)]),
  );
  return mapTexts(value, (key, text) => (words.has(key) ? text : (named.get(text) ?? text)));
}

/** Members of a widget that hold words for people, or names of other things. */
const words: ReadonlySet<string> = new Set(['id', 'type', 'title', 'description', 'blueprint', 'operator', 'value']);

function mapTexts<Value>(value: Value, map: (key: string, text: string) => string, key = ''): Value {
  if (typeof value === 'string') return map(key, value) as Value;
  if (Array.isArray(value)) return value.map((each) => mapTexts(each, map, key)) as Value;
  if (!isRecord(value)) return value;
  return mapMembers(value, (name, member) => mapTexts(member, map, name)) as Value;
}

function mapMembers(value: Readonly<Record<string, unknown>>, map: (key: string, member: unknown) => unknown) {
  return Object.fromEntries(Object.entries(value).map(([key, member]) => [key, map(key, member)]));
}
