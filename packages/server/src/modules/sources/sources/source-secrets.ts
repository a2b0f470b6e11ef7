import { isDeepStrictEqual } from 'node:util';
import { invalidRequest } from '../../../platform/errors.ts';
import type { Work } from '../../../platform/unit-of-work.ts';
import type { SourceType } from '../source-type.ts';
import type { SourcesDeps } from '../sources.deps.ts';
import type { StoredSecret, StoredSource } from './source.ts';

/** What the secrets of a source are sealed for. */
export const sourceSecretPurpose = 'source-secret';

/** The secrets of a source after a change; null removes one. */
export function sealSecrets(
  { secrets }: SourcesDeps,
  { actor, now }: Work,
  before: StoredSource['secrets'],
  changes: Readonly<Record<string, string | null>>,
): Record<string, StoredSecret> {
  const kept: Record<string, StoredSecret> = { ...before };
  for (const [name, value] of Object.entries(changes)) {
    if (value === null) delete kept[name];
    else {
      kept[name] = {
        sealed: secrets.sealer.seal(actor.orgId, sourceSecretPurpose, value),
        setAt: now.toISOString(),
        // of short ones, four characters would be too many
        lastFour: value.length >= 16 ? value.slice(-4) : '',
      };
    }
  }
  return kept;
}

/** The secrets of a source, opened for its reader. */
export function openSecrets(
  { secrets }: SourcesDeps,
  orgId: string,
  source: Pick<StoredSource, 'secrets'>,
  opened: Parameters<SourcesDeps['secrets']['sealer']['open']>[3],
): Record<string, string> {
  return Object.fromEntries(
    Object.entries(source.secrets).map(([name, { sealed }]) => [
      name,
      secrets.sealer.open(orgId, sourceSecretPurpose, sealed, opened),
    ]),
  );
}

/** @throws AppError `invalid_request` for one that is missing, or that the type does not know */
export function assertSecrets(type: SourceType, secrets: Readonly<Record<string, unknown>>): void {
  const issues = type.secrets
    .filter(({ name, required }) => required && !(name in secrets))
    .map(({ name, title }) => ({ path: `/secrets/${name}`, message: `is required: ${title}` }));
  const known = new Set(type.secrets.map(({ name }) => name));
  for (const name of Object.keys(secrets)) {
    if (!known.has(name)) issues.push({ path: `/secrets/${name}`, message: 'is no secret of this type' });
  }
  if (issues.length > 0) throw invalidRequest(issues, `The source of type "${type.type}"`);
}

/** Settings that decide where secrets are sent. */
const addresses = /url|address|host|endpoint/i;

/**
 * A secret that was saved for one address is not sent to another: who changes the address gives the secrets anew.
 * @throws AppError `invalid_request`
 */
export function assertSameAddress(
  saved: Pick<StoredSource, 'settings' | 'secrets'>,
  settings: Readonly<Record<string, unknown>>,
  given: Readonly<Record<string, unknown>>,
): void {
  const names = new Set(
    [...Object.keys(saved.settings), ...Object.keys(settings)].filter((name) => addresses.test(name)),
  );
  const moved = [...names].filter((name) => !isDeepStrictEqual(saved.settings[name], settings[name]));
  if (moved.length === 0) return;
  const kept = Object.keys(saved.secrets).filter((name) => !(name in given));
  const message = `is needed again, because "${moved[0]}" is another: a saved secret is sent to its own address only`;
  if (kept.length > 0) {
    throw invalidRequest(
      kept.map((name) => ({ path: `/secrets/${name}`, message })),
      'The source',
    );
  }
}
