import type { Actor } from '../../platform/actor.ts';
import { limitTo } from '../../platform/authority.ts';
import type { Reader } from '../../platform/db/database.ts';
import { authorityToday, type SavedAuthority } from '../accounts/index.ts';
import { findIntegration } from './integration.store.ts';

/** What an integration goes on to do of its own, whoever wrote its mapping: read it, and report. */
const ofItsOwn = ['read:integrations', 'create:integrations', 'update:integrations'];
const nothing = { roles: ['Member'], teamKeys: [], scopes: [] };

/**
 * The actor of a request of an integration. What it writes follows from its mapping, so it does no more than whoever wrote
 * that, as they could then and can today. Others, and integrations whose mapping nobody has written, stay as they are.
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

/** The installation that a user agent names (api contract §1.8). */
function parseIntegration(datasource: string): string | undefined {
  return /^port-ocean\/[^/]+\/[^/]*\/(.+?)(?:\/(?:exporter|gitops))?$/.exec(datasource)?.[1];
}
