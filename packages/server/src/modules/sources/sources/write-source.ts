import type { OperationInput } from '@portolan/contract/operation';
import type { createSource as createOperation, patchSource as patchOperation } from '@portolan/contract/sources';
import { type Actor, isAdmin } from '../../../platform/actor.ts';
import { lockCount } from '../../../platform/db/count-lock.store.ts';
import { AppError, invalidRequest, notFound } from '../../../platform/errors.ts';
import { toIssues } from '../../../platform/http/issues.ts';
import { newId } from '../../../platform/ids.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import { saveAuthority } from '../../accounts/index.ts';
import { endTrust } from '../../organizations/index.ts';
import { findOpenSync, lockSync, updateSync } from '../ingest/sync.store.ts';
import { ensureBlueprints } from '../installs/make-blueprints.ts';
import type { SourceType } from '../source-type.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { checkMapping } from './check-mapping.ts';
import { defaultParts, partsToAdd } from './default-parts.ts';
import { sourceMissing } from './read-sources.ts';
import { deleteSourceRows, insertSource, listSourceRows, lockSource, updateSource } from './source.store.ts';
import type { StoredSource } from './source.ts';
import { assertMayWriteSource } from './source-rights.ts';
import { assertSameAddress, assertSecrets, sealSecrets } from './source-secrets.ts';

const sourcesMax = 200;

/** @throws AppError `not_found` (type), `invalid_request`, `identifier_taken`, `missing_permissions`, `limit_reached` */
export function createSource(
  deps: SourcesDeps,
  actor: Actor,
  body: OperationInput<typeof createOperation>['body'],
): Promise<StoredSource> {
  return deps.unitOfWork(actor, async (work) => {
    const type = typeNamed(deps, body.type);
    const settings = checkSettings(type, body.settings ?? {});
    const parts = await defaultParts(work.tx, actor.orgId, type, settings);
    const mapping = body.mapping?.resources ?? parts.mapping;
    assertMayWriteSource(actor, { type: body.type, mapping });
    checkMapping(mapping);
    const secrets = sealSecrets(deps, work, {}, body.secrets ?? {});
    assertSecrets(type, secrets);
    await lockCount(work.tx, actor.orgId, 'sources');
    const present = await listSourceRows(work.tx, actor.orgId);
    if (present.length >= sourcesMax) throw new AppError('limit_reached', `There are ${sourcesMax} sources already`);
    const scheduleMinutes = body.scheduleMinutes === undefined ? type.scheduleMinutes : body.scheduleMinutes;
    const taken = new Set(present.map(({ identifier }) => identifier));
    const title = body.title ?? type.title;
    const source = await insertSource(work.tx, actor.orgId, {
      identifier: body.identifier ?? freeIdentifier(type.type, taken),
      type: type.type,
      title,
      settings,
      secrets,
      mapping,
      deletion: body.deletion ?? 'delete',
      scheduleMinutes,
      isPaused: body.isPaused ?? false,
      webhookKey: newId('src_'),
      webhook: null,
      nextSyncAt: type.type === 'file' || body.isPaused ? null : work.now,
      authority: saveAuthority(actor),
      updatedAt: work.now,
      updatedBy: actor.id,
    });
    if (!source) throw identifierTaken(body.identifier ?? '');
    // moderators write to what is there
    if (isAdmin(actor) && body.mapping === undefined) await ensureBlueprints(deps.blueprints, work, parts.blueprints);
    record(work, undefined, source);
    return source;
  });
}

/** Changes what the body names; what was wrong is tried again. @throws AppError as `createSource` */
export function patchSource(
  deps: SourcesDeps,
  actor: Actor,
  identifier: string,
  body: OperationInput<typeof patchOperation>['body'],
): Promise<StoredSource> {
  return deps.unitOfWork(actor, async (work) => {
    const before = await lockSource(work.tx, actor.orgId, identifier);
    if (!before) throw sourceMissing(identifier);
    // who may not save what it is may not make something else of it either, with the secrets of others
    assertMayWriteSource(actor, before);
    const type = typeNamed(deps, before.type);
    const settings = body.settings ? checkSettings(type, { ...before.settings, ...body.settings }) : before.settings;
    const added = partsToAdd(type, before.settings, settings, before.mapping);
    const mapping = body.mapping?.resources ?? [...before.mapping, ...added.mapping];
    assertMayWriteSource(actor, { type: before.type, mapping, createdBy: before.createdBy });
    if (body.mapping) checkMapping(mapping);
    assertSameAddress(before, settings, body.secrets ?? {});
    const secrets = sealSecrets(deps, work, before.secrets, body.secrets ?? {});
    assertSecrets(type, secrets);
    const isPaused = body.isPaused ?? before.isPaused;
    const scheduleMinutes = body.scheduleMinutes === undefined ? before.scheduleMinutes : body.scheduleMinutes;
    const isOther = body.settings !== undefined || body.mapping !== undefined;
    // what it read by the old settings would count as all that there is
    const isBrokenOff = isOther && type.type !== 'file' && (await breakOff(work, before));
    const isTriedAgain =
      before.problem !== null || (before.isPaused && !isPaused) || body.mapping !== undefined || isBrokenOff;
    const after: StoredSource = {
      ...before,
      title: body.title ?? before.title,
      settings,
      secrets,
      mapping,
      deletion: body.deletion ?? before.deletion,
      scheduleMinutes,
      isPaused,
      problem: null,
      // what was kept for the next pass belongs to the old settings
      state: isOther ? null : before.state,
      nextSyncAt:
        isPaused || type.type === 'file'
          ? null
          : isTriedAgain
            ? work.now
            : nextAfter(work.now, before, scheduleMinutes),
      authority: saveAuthority(actor),
      updatedAt: work.now,
      updatedBy: actor.id,
    };
    await updateSource(work.tx, actor.orgId, after);
    // whoever owns a source may let it read something else
    if (isOther || body.secrets !== undefined)
      await endTrust(work.tx, actor.orgId, { kind: 'source', key: before.key });
    if (isAdmin(actor) && body.mapping === undefined) await ensureBlueprints(deps.blueprints, work, added.blueprints);
    record(work, before, after);
    return after;
  });
}

/** Ends the sync that is open, if any; true if it was to write. */
async function breakOff({ tx, actor, now }: Work, { key }: StoredSource): Promise<boolean> {
  const open = await findOpenSync(tx, actor.orgId, key);
  const sync = open && (await lockSync(tx, actor.orgId, open.key));
  if (!sync || sync.endedAt) return false;
  const problem = { code: 'source_changed', message: 'The source was changed while it was read; it is read anew' };
  await updateSync(tx, actor.orgId, {
    ...sync,
    status: 'cancelled',
    problem,
    note: null,
    endedAt: now,
    touchedAt: now,
  });
  return !sync.isPlan;
}

function nextAfter(now: Date, { nextSyncAt }: StoredSource, minutes: number | null): Date | null {
  if (minutes === null) return null;
  const latest = new Date(now.getTime() + minutes * 60_000);
  return nextSyncAt && nextSyncAt < latest ? nextSyncAt : latest;
}

/**
 * Deletes a source with its ledger; entities stay. One that is being read is let end first.
 * @throws AppError `not_found`, `missing_permissions`, `sync_in_progress`
 */
export function deleteSource(deps: SourcesDeps, actor: Actor, identifier: string): Promise<void> {
  return deps.unitOfWork(actor, async (work) => {
    const source = await lockSource(work.tx, actor.orgId, identifier);
    if (!source) throw sourceMissing(identifier);
    assertMayWriteSource(actor, source);
    const open = await findOpenSync(work.tx, actor.orgId, source.key);
    if (open) {
      const message = `The source "${identifier}" is being read by "${open.id}"; cancel that, or wait until it has ended`;
      throw new AppError('sync_in_progress', message, { details: { sync: open.id } });
    }
    await deleteSourceRows(work.tx, actor.orgId, source.key);
    await endTrust(work.tx, actor.orgId, { kind: 'source', key: source.key });
    record(work, source, undefined);
  });
}

export function typeNamed({ types }: Pick<SourcesDeps, 'types'>, name: string): SourceType {
  const type = types.get(name);
  if (!type) throw notFound('Source type', name, 'type');
  return type;
}

/** @throws AppError `invalid_request` with the path of each setting */
export function checkSettings(type: SourceType, settings: unknown): Readonly<Record<string, unknown>> {
  const parsed = type.settings.safeParse(settings);
  if (!parsed.success)
    throw invalidRequest(toIssues(parsed.error, settings, '/settings'), `The source of type "${type.type}"`);
  return parsed.data as Readonly<Record<string, unknown>>;
}

function freeIdentifier(type: string, taken: ReadonlySet<string>): string {
  for (let count = 1; ; count += 1) {
    const identifier = count === 1 ? type : `${type}-${count}`;
    if (!taken.has(identifier)) return identifier;
  }
}

function identifierTaken(identifier: string): AppError {
  return new AppError('identifier_taken', `A source with identifier "${identifier}" exists; the identifier is taken`);
}

/** Leaves secrets and what the reader keeps out of the audit log. */
function record(work: Work, before: StoredSource | undefined, after: StoredSource | undefined): void {
  const { identifier } = (after ?? before) as StoredSource;
  const action = !before ? 'CREATE' : after ? 'UPDATE' : 'DELETE';
  work.record({
    event: { CREATE: 'source.created', UPDATE: 'source.updated', DELETE: 'source.deleted' }[action],
    action,
    resourceType: 'source',
    identifier,
    context: { source: identifier },
    ...(before ? { before: audited(before) } : {}),
    ...(after ? { after: audited(after) } : {}),
  });
}

function audited({ type, title, settings, mapping, deletion, scheduleMinutes, isPaused, secrets }: StoredSource) {
  return { type, title, settings, mapping, deletion, scheduleMinutes, isPaused, secrets: Object.keys(secrets) };
}
