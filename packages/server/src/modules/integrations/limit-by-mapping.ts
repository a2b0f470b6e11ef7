import type { Actor, EntityReach } from '../../platform/actor.ts';
import { limitTo } from '../../platform/authority.ts';
import type { Reader } from '../../platform/db/database.ts';
import { nameSource } from '../../platform/text-authors.ts';
import { authorityToday, type SavedAuthority } from '../accounts/index.ts';
import { blueprintRelations, listBlueprintRows } from '../blueprints/index.ts';
import { isTrustedSource } from '../organizations/index.ts';
import { findIntegration } from './integration.store.ts';
import type { StoredIntegration } from './integration.ts';
import { mappedBlueprints } from './mapped-blueprints.ts';

/** Scopes that an integration keeps whatever its mapping's author may do: reading itself and reporting. */
const ofItsOwn = ['read:integrations', 'create:integrations', 'update:integrations'];
const nothing = { roles: ['Member'], teamKeys: [], scopes: [] };

/**
 * Limits a request of an integration to the rights of the last author of its mapping: those saved with the mapping and
 * still held today. The mapping decides what is written, so it must not do more than its author could. A credential made
 * for an installation is limited by that one's mapping, whatever its client calls itself, and reaches no other
 * blueprints. Other actors, and integrations whose mapping has no saved rights, stay unchanged.
 */
export async function limitByMapping(reader: Reader, actor: Actor): Promise<Actor> {
  const name = actor.boundTo ?? parseIntegration(actor.datasource);
  const integration = name === undefined ? undefined : await findIntegration(reader, actor.orgId, name);
  if (actor.boundTo !== undefined && !integration) return withoutIntegration(actor, actor.boundTo);
  if (!integration) return actor;
  const reaching = actor.boundTo === undefined ? actor : await asInstalled(reader, actor, integration);
  if (!integration.authority) return reaching;
  const { by } = integration.authority;
  const left = await authorityToday(reader, actor.orgId, integration.authority);
  const { roles, teamKeys, scopes }: Omit<SavedAuthority, 'by'> = left ?? nothing;
  const limited = limitTo(reaching, { roles, teamKeys, ...(scopes ? { scopes: [...scopes, ...ofItsOwn] } : {}) });
  const why = left ? 'wrote its mapping last' : 'wrote its mapping last and was removed or disabled';
  const limitedBy = `The integration "${name}" does no more than "${by.id}", who ${why}; somebody who may do more has to save the mapping again`;
  return { ...limited, limitedBy };
}

/** Credentials outlive an integration that was deleted: they are good for nothing then. */
function withoutIntegration(actor: Actor, boundTo: string): Actor {
  const limitedBy = `The integration "${boundTo}", for which these credentials were made, was deleted; install it again`;
  return { ...limitTo(actor, nothing), reach: { written: new Set(), related: new Set(), isOpen: false }, limitedBy };
}

/** Only the credential tells an installation; anybody may send its user agent. */
async function asInstalled(reader: Reader, actor: Actor, integration: StoredIntegration): Promise<Actor> {
  const source = { kind: 'integration', key: integration.key, identifier: integration.installationId } as const;
  const isTrusted = await isTrustedSource(reader, actor.orgId, source);
  const reach = await reachOf(reader, actor.orgId, integration.config);
  return { ...actor, reach, ...(isTrusted ? { trustedAs: nameSource(source) } : {}) };
}

/** The blueprints of a mapping, and those that their relations point at. */
async function reachOf(reader: Reader, orgId: string, config: object | null): Promise<EntityReach> {
  const { identifiers: written, isOpen } = mappedBlueprints(config);
  const all = await listBlueprintRows(reader, orgId);
  const mapped = all.filter(({ identifier }) => written.has(identifier));
  const targets = mapped.flatMap((each) => Object.values(blueprintRelations(each)).map(({ target }) => target));
  return { written, related: new Set(targets), isOpen };
}

/** The installation id within a user agent (api contract §1.8). */
function parseIntegration(datasource: string): string | undefined {
  return /^port-ocean\/[^/]+\/[^/]*\/(.+?)(?:\/(?:exporter|gitops))?$/.exec(datasource)?.[1];
}
