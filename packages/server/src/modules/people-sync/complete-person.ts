import type { EntityBody } from '@portolan/contract/entities';
import type { Actor } from '../../platform/actor.ts';
import { toClientKind } from '../../platform/client-kind.ts';
import type { StoredBlueprint } from '../blueprints/index.ts';
import type { StoredEntity } from '../entity-rows/index.ts';

type Body = EntityBody & { readonly identifier: string };

/** Standing that a write does not name stays, also where it replaces everything else. */
const kept = ['status', 'port_role', 'port_type'];

/**
 * The body of an entity of `_user` with what the platform knows of the user beside it (users-and-teams §1.6): somebody
 * new is a staged member; a replacement takes nobody's role away by not naming it; an integration may bring people
 * but not decide whether they may sign in.
 */
export function completePerson(
  actor: Actor,
  blueprint: StoredBlueprint,
  body: Body,
  before: StoredEntity | undefined,
): { readonly body: Body; readonly warnings: readonly string[] } {
  if (blueprint.identifier !== '_user') return { body, warnings: [] };
  const written = body.properties ?? {};
  const isAccount = written['port_type'] === 'Service Account';
  const known: Readonly<Record<string, unknown>> = before
    ? Object.fromEntries(kept.flatMap((key) => (key in before.properties ? [[key, before.properties[key]]] : [])))
    : { status: isAccount ? 'Active' : 'Staged', port_role: 'Member' };
  const properties = { ...known, ...written };
  const isIgnored =
    toClientKind(actor) === 'integration' && !isAccount && 'status' in written && written['status'] !== known['status'];
  if (!isIgnored) return { body: { ...body, properties }, warnings: [] };
  const warning = `the status of "${body.identifier}" is not for integrations to set; it stays ${known['status']}`;
  return { body: { ...body, properties: { ...properties, status: known['status'] } }, warnings: [warning] };
}
