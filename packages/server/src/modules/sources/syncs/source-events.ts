import type { JqValue } from '@portolan/jq';
import { z } from 'zod';
import { systemActor } from '../../../platform/actor.ts';
import { AppError, notFound } from '../../../platform/errors.ts';
import { readJson } from '../../../platform/http/read-json.ts';
import { newId } from '../../../platform/ids.ts';
import { defineJob, type JobDeclaration, Postponed } from '../../../platform/jobs/job.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { settleWaiting } from '../ingest/settle-waiting.ts';
import { findOpenSync, insertSync, lockSync, updateSync } from '../ingest/sync.store.ts';
import { noCounts, type StoredSync } from '../ingest/sync.ts';
import { findReceivingSource, findSourceByKey, lockSource, updateSource } from '../sources/source.store.ts';
import type { StoredSource } from '../sources/source.ts';
import { typeNamed } from '../sources/write-source.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import { endSync } from './end-sync.ts';
import { openEventSecret } from './hooks.ts';
import { findSourceActor, openReader } from './open-source.ts';
import { storePage } from './store-page.ts';

const input = z.object({ sourceKey: z.coerce.number(), headers: z.record(z.string(), z.string()), body: z.unknown() });
export type EventJob = JobDeclaration<typeof input>;
/** What is kept of the headers: the kind of event. The proof of some hosts is the secret itself. */
const eventName = /^x-([a-z]+-)?event(-key|-type)?$/;
/** While the source is read, events wait. */
const waitMs = 5_000;

/**
 * Takes an event whose proof is right, and lets it be read later: what it says is asked of the host again, so that an
 * event that comes twice, or late, changes nothing.
 * @throws AppError `not_found`, `unauthorized`, `invalid_json`
 */
export async function receiveSourceEvent(
  deps: SourcesDeps & { readonly event: EventJob },
  webhookKey: string,
  headers: Readonly<Record<string, string>>,
  bytes: Buffer,
): Promise<void> {
  const source = await findReceivingSource(deps.database, webhookKey);
  if (!source?.webhook) throw notFound('Source', webhookKey.slice(0, 100), 'webhookKey');
  const { orgId, webhook } = source;
  const type = typeNamed(deps, source.type);
  const secret = openEventSecret(deps, orgId, webhook.secret);
  if (!type.verifyEvent?.(headers, bytes, secret)) {
    throw new AppError('unauthorized', 'The event is not signed with the secret of the source');
  }
  const body = readJson(bytes.toString('utf8'));
  const told = Object.fromEntries(Object.entries(headers).filter(([name]) => eventName.test(name)));
  await deps.unitOfWork(systemActor(orgId), async (work) => {
    const current = await lockSource(work.tx, orgId, source.identifier);
    if (!current?.webhook) return;
    if (!current.webhook.verifiedAt) {
      const verified = { ...current.webhook, verifiedAt: work.now.toISOString() };
      await updateSource(work.tx, orgId, { ...current, webhook: verified });
    }
    if (!current.isPaused) await work.enqueue(deps.event, { sourceKey: source.key, headers: told, body });
  });
}

/** Reads what events say. Twice is harmless: what is stored is found unchanged. */
export function processEventJob(deps: SourcesDeps): EventJob {
  return defineJob({
    name: 'sources.process-event',
    input,
    attempts: 5,
    timeoutMs: 120_000,
    waitsOutside: true,
    run: async ({ sourceKey, headers, body }, { orgId, signal }) => {
      const source = await findSourceByKey(deps.database, orgId, sourceKey);
      if (!source || source.isPaused || source.problem) return;
      const opened = createSecretScope();
      const actor = await findSourceActor(deps, orgId, source, opened);
      const reader = openReader(deps, orgId, source, opened);
      const page = await reader.readEvent?.({ headers, body: body as JqValue }, signal);
      if (!page) return;
      const sync = await begin(deps, orgId, source);
      const stored = await storePage(deps, actor, source, sync, page);
      if (!stored) return;
      for await (const _settled of settleWaiting(deps, actor, stored));
      await endSync(deps, actor, source, stored);
    },
  });
}

function begin({ unitOfWork, types }: SourcesDeps, orgId: string, source: StoredSource): Promise<StoredSync> {
  return unitOfWork(systemActor(orgId), async ({ tx, now }) => {
    await lockSource(tx, orgId, source.identifier);
    const open = await findOpenSync(tx, orgId, source.key);
    // an event whose process died goes on with the sync that it began
    const begun = open?.mode === 'event' ? await lockSync(tx, orgId, open.key) : undefined;
    if (begun && !begun.endedAt) {
      const taken = { ...begun, touchedAt: now };
      await updateSync(tx, orgId, taken);
      return taken;
    }
    if (open && open.mode !== 'event')
      throw new Postponed(new Date(now.getTime() + waitMs), 'The source is being read');
    return insertSync(tx, orgId, {
      id: newId('sync_'),
      sourceKey: source.key,
      mode: 'event',
      isPlan: false,
      status: 'running',
      options: {
        mode: 'merge',
        missingTargets: typeNamed({ types }, source.type).missingTargets ?? 'refuse',
        onError: 'continue',
      },
      counts: noCounts,
      startedAt: now,
      createdBy: `source/${source.identifier}`,
    });
  });
}
