import { randomBytes } from 'node:crypto';
import { type Actor, systemActor } from '../../../platform/actor.ts';
import { Postponed } from '../../../platform/jobs/job.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import type { SyncProblem } from '../ingest/sync.ts';
import { type SourceReader, SourceRefusal } from '../source-type.ts';
import { sourceMissing } from '../sources/read-sources.ts';
import { lockSource, updateSource } from '../sources/source.store.ts';
import type { StoredSource } from '../sources/source.ts';
import { typeNamed } from '../sources/write-source.ts';
import type { SourcesDeps } from '../sources.deps.ts';

/** What the secret of a source's events is sealed for. */
export const sourceEventPurpose = 'source-webhook';

export function openEventSecret({ secrets }: SourcesDeps, orgId: string, sealed: string): string {
  return secrets.sealer.open(orgId, sourceEventPurpose, sealed, createSecretScope());
}

/**
 * A new address and secret for events; the host has to be told of them.
 * @throws AppError `not_found` also for a source whose host sends none
 */
export function renewWebhook(deps: SourcesDeps, actor: Actor, identifier: string) {
  return deps.unitOfWork(actor, async (work) => {
    const source = await lockSource(work.tx, actor.orgId, identifier);
    if (!source || !typeNamed(deps, source.type).verifyEvent) throw sourceMissing(identifier);
    const { secret, sealed } = newEventSecret(deps, actor.orgId);
    await updateSource(work.tx, actor.orgId, { ...source, webhook: { secret: sealed, verifiedAt: null } });
    work.record({
      event: 'source.webhook-renewed',
      action: 'UPDATE',
      resourceType: 'source',
      identifier,
      context: { source: identifier },
    });
    return { url: eventAddress(deps, source), secret };
  });
}

/**
 * Has the host send events, once for each source, where its token may. Where not, the owner is told by a problem, and
 * what moves is found by the schedule.
 */
export async function registerHook(
  deps: SourcesDeps,
  orgId: string,
  source: StoredSource,
  reader: SourceReader,
  signal: AbortSignal,
): Promise<SyncProblem | undefined> {
  if (source.webhook || !reader.registerHook || !typeNamed(deps, source.type).verifyEvent) return undefined;
  const { secret, sealed } = newEventSecret(deps, orgId);
  try {
    if (!(await reader.registerHook(eventAddress(deps, source), secret, signal))) return undefined;
  } catch (error) {
    if (error instanceof SourceRefusal) {
      return { severity: 'note', code: error.code, message: `${error.message}. ${error.fix}` };
    }
    if (error instanceof Postponed) throw error;
    const reason = error instanceof Error ? error.message.slice(0, 300) : 'it did not answer';
    return { severity: 'note', code: 'hook_failed', message: `The host could not be told to send events: ${reason}` };
  }
  await deps.unitOfWork(systemActor(orgId), async ({ tx }) => {
    const current = await lockSource(tx, orgId, source.identifier);
    if (current) await updateSource(tx, orgId, { ...current, webhook: { secret: sealed, verifiedAt: null } });
  });
  return undefined;
}

function eventAddress({ publicUrl }: Pick<SourcesDeps, 'publicUrl'>, { webhookKey }: StoredSource): string {
  return `${publicUrl()}/v1/source-events/${webhookKey}`;
}

function newEventSecret({ secrets }: SourcesDeps, orgId: string) {
  const secret = randomBytes(24).toString('base64url');
  return { secret, sealed: secrets.sealer.seal(orgId, sourceEventPurpose, secret) };
}
