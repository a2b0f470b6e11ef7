import type { Actor } from '../../../platform/actor.ts';
import type { SecretScope } from '../../../platform/secrets/secret-scope.ts';
import { nameSource } from '../../../platform/text-authors.ts';
import { actWith, authorityLeft } from '../../accounts/index.ts';
import { findOrganization, isTrustedSource } from '../../organizations/index.ts';
import { type SourceReader, SourceRefusal } from '../source-type.ts';
import type { StoredSource } from '../sources/source.ts';
import { openSecrets } from '../sources/source-secrets.ts';
import { typeNamed } from '../sources/write-source.ts';
import type { SourcesDeps } from '../sources.deps.ts';

/** A source writes with the rights of whoever saved it, as far as they have them today. @throws SourceRefusal */
export async function findSourceActor(
  { database }: SourcesDeps,
  orgId: string,
  source: StoredSource,
  opened: SecretScope,
): Promise<Actor> {
  const organization = await findOrganization(database, orgId);
  const authority = await authorityLeft(database, orgId, source);
  if (!authority || !organization) {
    const message = `Nobody stands behind the source any more: "${source.updatedBy}", who saved it last, was removed or disabled`;
    throw new SourceRefusal('owner_gone', message, 'Somebody who may do what it does has to save it again');
  }
  const actor = actWith(authority, {
    orgId,
    model: organization.model,
    id: `source/${source.identifier}`,
    datasource: `portolan/${source.type}/1.0.0/${source.identifier}/exporter`,
    origin: 'API',
  });
  const identity = { kind: 'source', key: source.key, identifier: source.identifier } as const;
  const isTrusted = await isTrustedSource(database, orgId, identity);
  const trust = isTrusted ? { trustedAs: nameSource(identity) } : {};
  return { ...actor, writesAs: 'integration', givesWay: true, opened, ...trust };
}

export function openReader(deps: SourcesDeps, orgId: string, source: StoredSource, opened: SecretScope): SourceReader {
  const type = typeNamed(deps, source.type);
  // whoever saves a source may have given it other credentials, which may see less
  const answers = deps.answersOf(`${orgId}/${source.key}/${source.updatedAt.getTime()}`);
  const ports = { fetch: deps.outgoing.fetch, now: () => deps.clock.now(), answers };
  return type.open(type.settings.parse(source.settings), openSecrets(deps, orgId, source, opened), ports);
}
