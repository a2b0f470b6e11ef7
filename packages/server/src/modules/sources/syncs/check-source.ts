import type { OperationAnswer, OperationInput } from '@portolan/contract/operation';
import type { checkSource as operation } from '@portolan/contract/sources';
import type { Actor } from '../../../platform/actor.ts';
import { invalidRequest } from '../../../platform/errors.ts';
import { Postponed } from '../../../platform/jobs/job.ts';
import { createSecretScope } from '../../../platform/secrets/secret-scope.ts';
import { SourceRefusal } from '../source-type.ts';
import { defaultParts } from '../sources/default-parts.ts';
import { getStoredSource } from '../sources/read-sources.ts';
import { assertMayWriteSource } from '../sources/source-rights.ts';
import { assertSameAddress, openSecrets } from '../sources/source-secrets.ts';
import { checkSettings, typeNamed } from '../sources/write-source.ts';
import type { SourcesDeps } from '../sources.deps.ts';

const checkMs = 10_000;
type Answer = Omit<OperationAnswer<typeof operation>, 'ok'> & { readonly ok: boolean };

/** Tries settings and secrets before they are saved. @throws AppError `not_found`, `invalid_request`, `missing_permissions` */
export async function checkSource(
  deps: SourcesDeps,
  actor: Actor,
  { type: name, settings: written, secrets: given, source: identifier }: OperationInput<typeof operation>['body'],
): Promise<Answer> {
  const type = typeNamed(deps, name);
  const opened = createSecretScope();
  const saved = identifier === undefined ? undefined : await getStoredSource(deps.database, actor, identifier);
  if (saved && saved.type !== name) {
    throw invalidRequest([{ path: '/type', message: `must be "${saved.type}", as of the source "${identifier}"` }]);
  }
  const settings = checkSettings(type, { ...saved?.settings, ...written });
  const { mapping } = await defaultParts(deps.database, actor.orgId, type, settings);
  assertMayWriteSource(actor, saved ?? { type: name, mapping });
  if (saved) assertSameAddress(saved, settings, given);
  const secrets = { ...(saved ? openSecrets(deps, actor.orgId, saved, opened) : {}), ...given };
  const signal = AbortSignal.timeout(checkMs);
  try {
    const reader = type.open(settings, secrets, { fetch: deps.outgoing.fetch, now: () => deps.clock.now() });
    const { checks, sample, total } = await reader.check(signal);
    const items = sample.map(({ key, kind, document }) => ({ key, kind, document }));
    const ok = checks.every(({ state }) => state !== 'failed');
    return opened.mask({ ok, checks: [...checks], sample: { items: items as never, total } });
  } catch (error) {
    return { ok: false, checks: [toFailed(error)], sample: { items: [], total: null } };
  }
}

function toFailed(error: unknown): Answer['checks'][number] {
  if (error instanceof SourceRefusal) {
    return { name: 'credentials', state: 'failed', message: error.message, fix: error.fix };
  }
  if (error instanceof Postponed) return { name: 'rate_limit', state: 'failed', message: error.message };
  const reason = error instanceof Error ? error.message : 'It could not be reached';
  return {
    name: 'address',
    state: 'failed',
    message: reason.slice(0, 500),
    fix: 'Look at the address; one inside your network has to be allowed by the operator',
  };
}
