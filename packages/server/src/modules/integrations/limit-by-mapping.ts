import type { Actor } from '../../platform/actor.ts';
import { limitTo } from '../../platform/authority.ts';
import type { Reader } from '../../platform/db/database.ts';
import { authorityToday, type SavedAuthority } from '../accounts/index.ts';
import { findIntegration } from './integration.store.ts';

/** Scopes that an integration keeps whatever its mapping's author may do: reading itself and reporting. */
const ofItsOwn = ['read:integrations', 'create:integrations', 'update:integrations'];
const nothing = { roles: ['Member'], teamKeys: [], scopes: [] };

/**
 * Limits a request of an integration to the rights of the last author of its mapping: those saved with the mapping and
 * still held today. The mapping decides what is written, so it must not do more than its author could. Other actors,
 * and integrations whose mapping has no saved rights, stay unchanged.
 */
export async function limitByMapping(reader: Reader, actor: Actor): Promise<Actor> {
  const name = parseIntegration(actor.datasource);
  const integration = name === undefined ? undefined : await findIntegration(reader, actor.orgId, name);
  if (!integration?.authority) return actor;
  const { by } = integration.authority;
  const left = await authorityToday(reader, actor.orgId, integration.authority);
  const { roles, teamKeys, scopes }: Omit<SavedAuthority, 'by'> = left ?? nothing;
  const limited = limitTo(actor, { roles, teamKeys, ...(scopes ? { scopes: [...scopes, ...ofItsOwn] } : {}) });
  const why = left ? 'wrote its mapping last' : 'wrote its mapping last and was removed or disabled';
  const limitedBy = `The integration "${name}" does no more than "${by.id}", who ${why}; somebody who may do more has to save the mapping again`;
  return { ...limited, limitedBy };
}

/** The installation id within a user agent (api contract §1.8). */
function parseIntegration(datasource: string): string | undefined {
  return /^port-ocean\/[^/]+\/[^/]*\/(.+?)(?:\/(?:exporter|gitops))?$/.exec(datasource)?.[1];
}
