import {
  type EntityBody,
  type EntityChangeBody,
  type EntityWriteBody,
  entityWriteBody,
} from '@portolan/contract/entities';
import { isIdQuery } from '@portolan/contract/id-query';
import { z } from 'zod';
import type { Actor } from '../../platform/actor.ts';
import { AppError, invalidRequest, notFound } from '../../platform/errors.ts';
import { toIssues } from '../../platform/http/issues.ts';
import { rehearse } from '../../platform/rehearse.ts';
import type { UnitOfWork, Work } from '../../platform/unit-of-work.ts';
import { type EntityWrite, openEntityWrite, type WriteOptions, type WriteOutcome } from '../access/index.ts';
import { holdBlueprint, type StoredBlueprint } from '../blueprints/index.ts';
import { toSql } from '../entity-query/index.ts';
import { type ExpectedVersion, findEntity, type ReadEntity, teamForm } from '../entity-rows/index.ts';
import type { PreparedAccount } from '../identity/index.ts';
import { type AccountCredentials, accountFor, openAccount } from '../people-sync/index.ts';
import type { CatalogDeps, RewrittenBody } from './entities.deps.ts';
import { hasQueries, resolveQueries } from './resolve-queries.ts';
import { toEntityWrite, writeEntities } from './write-entities.ts';

export interface UpsertFlags {
  readonly upsert: boolean;
  readonly merge: boolean;
  readonly validation_only: boolean;
  readonly create_missing_related_entities: boolean;
}

export interface UpsertResult {
  readonly entity: ReadEntity;
  readonly blueprint: StoredBlueprint;
  readonly isCreated: boolean;
  /** Sentences for the `Warning` header. */
  readonly warnings: readonly string[];
  /** For a new service account; only in this answer. */
  readonly credentials?: AccountCredentials | undefined;
}

/** Writes what has to be kept together with the entity, in its transaction; what it throws takes both back. */
export type AlsoWrite = (work: Work, result: UpsertResult) => Promise<void>;

/** Options of changing one entity. */
export interface ChangeFlags {
  readonly create_missing_related_entities: boolean;
  readonly expectedVersion?: ExpectedVersion | undefined;
}

/** Creates an entity; with `upsert` replaces an existing one, with `merge` changes only what is named. */
export async function upsertEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  body: EntityWriteBody,
  flags: UpsertFlags & { readonly expectedVersion?: ExpectedVersion | undefined; readonly also?: AlsoWrite },
): Promise<UpsertResult> {
  const item = async (work: Work, held: StoredBlueprint) => {
    const { body: named, ...read } = await nameOne(deps, work, held, body);
    return { ...toEntityWrite(named, flags.expectedVersion), ...read };
  };
  const account = await accountFor(blueprint, body, flags);
  const { validation_only: isRehearsal, also } = flags;
  return writeOne(deps, actor, blueprint, item, toWriteOptions(flags), { isRehearsal, account, also });
}

/** Replaces an existing entity; another identifier in the body renames it. @throws AppError `not_found` */
export function replaceEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  identifier: string,
  body: EntityChangeBody,
  flags: ChangeFlags,
): Promise<UpsertResult> {
  return changeEntity(deps, actor, blueprint, identifier, body, flags, 'replace');
}

/** Changes what the body names of an existing entity; null clears. @throws AppError `not_found` */
export function patchEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  identifier: string,
  body: EntityChangeBody,
  flags: ChangeFlags,
): Promise<UpsertResult> {
  return changeEntity(deps, actor, blueprint, identifier, body, flags, 'merge');
}

function changeEntity(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  target: string,
  body: EntityChangeBody,
  { create_missing_related_entities, expectedVersion }: ChangeFlags,
  mode: WriteOptions['mode'],
): Promise<UpsertResult> {
  const item = async (work: Work, held: StoredBlueprint): Promise<EntityWrite> => {
    const { body: named, ...read } = await nameOne(deps, work, held, body);
    return { target, body: { ...named, identifier: named.identifier ?? target }, expectedVersion, ...read };
  };
  const options = { mode, expects: 'existing', createMissingRelated: create_missing_related_entities } as const;
  return writeOne(deps, actor, blueprint, item, options);
}

type BulkOutcome = WriteOutcome & { readonly identifier: string; readonly credentials?: AccountCredentials };

type RefusedItem = { readonly error: AppError; readonly identifier: string };

/** Up to 20 independent items; answers each in the order of the request. */
export async function bulkUpsertEntities(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  bodies: readonly unknown[],
  flags: UpsertFlags,
): Promise<BulkOutcome[]> {
  const parsed = bodies.map(parseItem);
  const accounts = await Promise.all(
    // a promise per item only where it may be an account
    blueprint === '_user'
      ? parsed.map((body) => ('error' in body ? undefined : accountFor(blueprint, body, flags)))
      : [],
  );
  return writing(deps.unitOfWork, actor, flags.validation_only, async (work) => {
    const held = await openUpsert(deps, work, blueprint, flags.upsert ? 'either' : 'new');
    const read = parsed.flatMap((body) => ('error' in body ? [] : [body]));
    const followed = (await deps.rewriteBodies(work, held, read)).values();
    const named: (EntityWrite | RefusedItem)[] = [];
    for (const body of parsed) {
      if ('error' in body) {
        named.push(body);
        continue;
      }
      const next = followed.next().value ?? { body, warnings: [] };
      if (hasQueries(next.body)) named.push(await nameItem(work, held, next));
      else named.push({ ...toEntityWrite(next.body as Parameters<typeof toEntityWrite>[0]), warnings: next.warnings });
    }
    const items = named.filter((item): item is EntityWrite => !('error' in item));
    const outcomes = await writeEntities(deps, work, held, items, toWriteOptions(flags));
    const answers: BulkOutcome[] = [];
    let position = 0;
    for (const [index, item] of named.entries()) {
      if ('error' in item) {
        answers.push(item);
        continue;
      }
      const outcome = outcomes[position] as WriteOutcome;
      position += 1;
      const { identifier } = item.body;
      const account = accounts[index];
      const isLast = account && items.findLast(({ target }) => target === item.target) === item;
      const credentials = isLast ? await openAccount(work, outcome, account) : undefined;
      answers.push(credentials ? { ...outcome, identifier, credentials } : { ...outcome, identifier });
    }
    return answers;
  });
}

const itemBody = z.compile(entityWriteBody);

/** Items are parsed one by one so that a malformed one does not refuse the request. */
function parseItem(body: unknown): EntityWriteBody | RefusedItem {
  const result = itemBody.safeParse(body);
  if (result.success) return result.data;
  const named = (body as { identifier?: unknown } | null)?.identifier;
  return { error: invalidRequest(toIssues(result.error, body), 'The entity'), identifier: shownName(named) };
}

/** Resolves an item's query; on failure the answer names it `unknown` (api contract §3.2.4). */
async function nameItem(
  work: Work,
  blueprint: StoredBlueprint,
  { body, warnings }: RewrittenBody<EntityWriteBody>,
): Promise<EntityWrite | RefusedItem> {
  try {
    const { body: named, ...read } = await resolveQueries(work, blueprint, body);
    return { ...toEntityWrite(named), ...read, warnings };
  } catch (error) {
    if (!(error instanceof AppError)) throw error;
    return { error, identifier: shownName(body.identifier) };
  }
}

/** Resolves a body, translating an integration's old relations. */
async function nameOne(
  deps: Pick<CatalogDeps, 'rewriteBodies'>,
  work: Work,
  blueprint: StoredBlueprint,
  written: EntityWriteBody,
): Promise<RewrittenBody<EntityBody> & Pick<EntityWrite, 'teamRefs'>> {
  const [followed] = await deps.rewriteBodies(work, blueprint, [written]);
  const { body, warnings } = followed ?? { body: written, warnings: [] };
  return { ...(await resolveQueries(work, blueprint, body)), warnings };
}

function shownName(identifier: unknown): string {
  return typeof identifier === 'string' && !isIdQuery(identifier) ? identifier : 'unknown';
}

function writeOne(
  deps: CatalogDeps,
  actor: Actor,
  blueprint: string,
  itemFor: (work: Work, held: StoredBlueprint) => Promise<EntityWrite>,
  options: WriteOptions,
  {
    isRehearsal = false,
    account,
    also,
  }: {
    readonly isRehearsal?: boolean;
    readonly account?: PreparedAccount | undefined;
    readonly also?: AlsoWrite | undefined;
  } = {},
): Promise<UpsertResult> {
  return writing(deps.unitOfWork, actor, isRehearsal, async (work) => {
    const held = await openUpsert(deps, work, blueprint, options.expects);
    const [outcome] = await writeEntities(deps, work, held, [await itemFor(work, held)], options);
    if (!outcome) throw new AppError('internal_error', 'The write had no outcome');
    if ('error' in outcome) throw outcome.error;
    // read here instead of after the commit, when the entity may be gone although the write succeeded
    const where = { orgId: actor.orgId, blueprintKey: held.key, identifier: outcome.entity.identifier };
    const entity = (await findEntity(work.tx, where, teamForm(actor.model), toSql(true))) as ReadEntity;
    const result = { ...outcome, entity, blueprint: held, credentials: await openAccount(work, outcome, account) };
    await also?.(work, result);
    return result;
  });
}

/** Runs the work, or with `isRehearsal` runs it and rolls back. */
function writing<T>(
  unitOfWork: UnitOfWork,
  actor: Actor,
  isRehearsal: boolean,
  body: (work: Work) => Promise<T>,
): Promise<T> {
  return isRehearsal ? rehearse(unitOfWork, actor, body) : unitOfWork(actor, body);
}

/** Holds the blueprint as it is until the transaction ends. @throws AppError as `openEntityWrite` */
async function openUpsert(
  { assertRun }: CatalogDeps,
  work: Work,
  identifier: string,
  expects: WriteOptions['expects'],
): Promise<StoredBlueprint> {
  const blueprint = await holdBlueprint(work.tx, work.actor.orgId, identifier);
  if (!blueprint) throw notFound('Blueprint', identifier);
  await openEntityWrite(work, blueprint, expects, assertRun);
  return blueprint;
}

function toWriteOptions(flags: UpsertFlags): WriteOptions {
  return {
    mode: flags.upsert && flags.merge ? 'merge' : 'replace',
    expects: flags.upsert ? 'either' : 'new',
    createMissingRelated: flags.create_missing_related_entities,
  };
}
