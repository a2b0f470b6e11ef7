import { isDeepStrictEqual } from 'node:util';
import type { Effect } from '@portolan/contract/effects';
import type { Entity, EntityChangeBody, EntityWriteBody } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import { groupBy } from '../../platform/collections.ts';
import { AppError } from '../../platform/errors.ts';
import { rehearse } from '../../platform/rehearse.ts';
import { hiddenTargets } from '../access/index.ts';
import {
  blueprintProperties,
  blueprintRelations,
  listBlueprintRows,
  type StoredBlueprint,
} from '../blueprints/index.ts';
import { rehearseDeletion } from './delete-entities.ts';
import type { CatalogDeps } from './entities.deps.ts';
import { presentEntities } from './present-entities.ts';
import { getEntity, readableBlueprint } from './read-entities.ts';
import { patchEntity, replaceEntity, upsertEntity } from './upsert-entities.ts';

export type ExactEffect = Omit<Effect, 'certainty' | 'problems'>;

interface People {
  readonly actor: Actor;
  readonly reader: Actor;
}

type WriteFlags = Parameters<typeof upsertEntity>[4];
type ChangeFlags = Parameters<typeof patchEntity>[5];
type Write =
  | { readonly kind: 'upsert'; readonly body: EntityWriteBody; readonly flags: WriteFlags }
  | {
      readonly kind: 'patch' | 'replace';
      readonly identifier: string;
      readonly body: EntityChangeBody;
      readonly flags: ChangeFlags;
    };

const changesTold = 20;
const sampled = 5;

/** The catalog in which everything is taken back; the run that it is done for has not begun, and is not asked about. */
function rehearsing(catalog: CatalogDeps): CatalogDeps {
  return {
    ...catalog,
    unitOfWork: (actor, body) => rehearse(catalog.unitOfWork, actor, body),
    assertRun: async () => undefined,
    recordFailures: async () => undefined,
  };
}

/** Writes an entity as the run would, takes it back, and tells what differs. @throws AppError as the write */
export async function effectOfWrite(
  catalog: CatalogDeps,
  { actor, reader }: People,
  blueprintName: string,
  write: Write,
): Promise<ExactEffect> {
  const tried = rehearsing(catalog);
  const result =
    write.kind === 'upsert'
      ? await upsertEntity(tried, actor, blueprintName, write.body, write.flags)
      : await (write.kind === 'patch' ? patchEntity : replaceEntity)(
          tried,
          actor,
          blueprintName,
          write.identifier,
          write.body,
          write.flags,
        );
  const name = write.kind === 'upsert' ? result.entity.identifier : write.identifier;
  const { blueprint, entity } = result;
  const before = result.isCreated ? undefined : await seen(catalog, reader, blueprintName, name);
  const isSeen = result.isCreated ? await mayRead(catalog, reader, blueprintName) : before !== undefined;
  const verb = result.isCreated ? 'create' : 'change';
  const base = { dependents: [], referencedBy: [], isReversible: true };
  if (!isSeen) return { ...base, summary: { verb, count: 1 }, changes: [], isPartial: true };
  const [after] = await presentEntities(catalog, reader, blueprint, [entity]);
  const fields = differences(blueprint, before, after);
  const change = { blueprint: nameOf(blueprint), identifier: name, title: entity.title, fields };
  const isNothing = verb === 'change' && fields.length === 0;
  return {
    ...base,
    summary: isNothing ? { verb: 'nothing', count: 0 } : { verb, count: 1 },
    changes: isNothing ? [] : [change],
    isPartial: false,
  };
}

/** Deletes an entity as the run would, and takes it back. @throws AppError as the deletion */
export async function effectOfDeletion(
  catalog: CatalogDeps,
  { actor, reader }: People,
  blueprintName: string,
  identifier: string,
  deleteDependents: boolean,
): Promise<ExactEffect> {
  const options = { deleteDependents, isFromPath: true };
  const { deletions, pointing } = await rehearseDeletion(catalog, actor, blueprintName, [identifier], options);
  const all = await listBlueprintRows(catalog.database, reader.orgId);
  const byKey = new Map(all.map((each) => [each.key, each]));
  const byName = new Map(all.map((each) => [each.identifier, each]));
  const leading = pointing.flatMap(({ sourceKey, sourceBlueprint, sourceIdentifier }) => {
    const blueprintKey = byName.get(sourceBlueprint)?.key;
    return blueprintKey === undefined
      ? []
      : [{ key: sourceKey, blueprintKey, identifier: sourceIdentifier, title: null as string | null }];
  });
  const hidden = await hiddenTargets(catalog, reader, [...deletions, ...leading]);
  const shown = deletions.filter(({ key }) => !hidden.has(key));
  const named = shown.filter((each) => byKey.get(each.blueprintKey)?.identifier === blueprintName);
  const own = named.find((each) => each.identifier === identifier);
  const grouped = (entities: readonly Listed[]) => groups(entities, byKey);
  return {
    summary: { verb: 'delete', count: shown.length },
    changes: (own ? [own] : []).slice(0, changesTold).flatMap((entity) => {
      const blueprint = byKey.get(entity.blueprintKey);
      return blueprint
        ? [{ blueprint: nameOf(blueprint), identifier: entity.identifier, title: entity.title, fields: [] }]
        : [];
    }),
    dependents: grouped(shown.filter((each) => each !== own)),
    referencedBy: grouped(distinct(leading).filter(({ key }) => !hidden.has(key))),
    isPartial: hidden.size > 0,
    isReversible: false,
  };
}

interface Listed {
  readonly key: number;
  readonly blueprintKey: number;
  readonly identifier: string;
  readonly title: string | null;
}

function distinct<Each extends Listed>(entities: readonly Each[]): Each[] {
  return [...new Map(entities.map((each) => [each.key, each])).values()];
}

function groups(entities: readonly Listed[], byKey: ReadonlyMap<number, StoredBlueprint>): Effect['dependents'] {
  return [...groupBy(entities, ({ blueprintKey }) => blueprintKey)].flatMap(([key, each]) => {
    const blueprint = byKey.get(key);
    if (!blueprint) return [];
    const sample = each.slice(0, sampled).map(({ identifier, title }) => ({ identifier, title }));
    return [{ blueprint: nameOf(blueprint), count: each.length, sample }];
  });
}

function nameOf({ identifier, definition }: StoredBlueprint) {
  return { identifier, title: definition.title };
}

/** The entity as the reader sees it; undefined for one that they may not. */
async function seen(catalog: CatalogDeps, reader: Actor, blueprint: string, identifier: string) {
  try {
    const found = await getEntity(catalog, reader, blueprint, identifier);
    const [shown] = await presentEntities(catalog, reader, found.blueprint, [found.entity]);
    return shown;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return undefined;
    throw error;
  }
}

async function mayRead(catalog: CatalogDeps, reader: Actor, blueprint: string): Promise<boolean> {
  try {
    await readableBlueprint(catalog, reader, blueprint);
    return true;
  } catch (error) {
    if (error instanceof AppError && error.code === 'not_found') return false;
    throw error;
  }
}

type Fields = Effect['changes'][number]['fields'];

/** What differs of what is written; computed values follow by themselves and are left out. */
function differences(
  blueprint: StoredBlueprint,
  before: Partial<Entity> | undefined,
  after: Partial<Entity> | undefined,
): Fields {
  const rows: [string, string, unknown, unknown][] = [
    ['$identifier', 'Identifier', before?.identifier, after?.identifier],
    ['$title', 'Title', before?.title, after?.title],
    ['$team', 'Team', before?.team, after?.team],
    ...Object.entries(blueprintProperties(blueprint)).map(([key, { title }]): [string, string, unknown, unknown] => [
      key,
      title ?? key,
      before?.properties?.[key],
      after?.properties?.[key],
    ]),
    ...Object.entries(blueprintRelations(blueprint)).map(([key, { title }]): [string, string, unknown, unknown] => [
      key,
      title ?? key,
      before?.relations?.[key],
      after?.relations?.[key],
    ]),
  ];
  return rows.flatMap(([key, title, left, right]) => {
    const [was, is] = [emptied(left), emptied(right)];
    return isDeepStrictEqual(was, is) ? [] : [{ key, title, before: was, after: is }];
  });
}

function emptied(value: unknown): Fields[number]['before'] {
  const isEmpty = value === undefined || (Array.isArray(value) && value.length === 0);
  return isEmpty ? null : (value as Fields[number]['before']);
}
