import { clientOperations } from '@portolan/contract/installs';
import type { Operation } from '@portolan/contract/operation';
import { requiredScope, scopesCover } from '@portolan/contract/scopes';
import type { Actor } from './actor.ts';
import { AppError } from './errors.ts';
import type { ToolDeclaration } from './tools/tool.ts';

/**
 * @throws AppError `insufficient_scope` if the token lacks the scope; `missing_permissions` if its credentials were made
 * for an installation, and no client calls the operation
 */
export function requireScope(actor: Actor, operation: Operation): void {
  if (actor.boundTo !== undefined && !clientOperations.has(operation.id)) throw notForClients(actor.boundTo);
  const needed = requiredScope(operation);
  if (needed !== null && !scopesCover(actor.scopes, needed)) throw insufficientScope(needed, actor.limitedBy);
}

/** The scope a token needs to save something that may send the organization's secrets. */
export const secretsScope = 'read:secrets';

const entitiesScope = 'read:entities';

/** Whether the actor may have secrets sent: whoever writes the address reads what is sent there. */
export function maySendSecrets({ scopes }: Actor): boolean {
  return scopesCover(scopes, secretsScope);
}

/** For saving something that sends secrets whenever it is used later. @throws AppError `insufficient_scope` */
export function requireSecrets(actor: Actor): void {
  if (!maySendSecrets(actor)) throw insufficientScope(secretsScope);
}

/** For saving something that sends every change of entities from then on. @throws AppError `insufficient_scope` */
export function requireEntities(actor: Actor): void {
  if (!scopesCover(actor.scopes, entitiesScope)) throw insufficientScope(entitiesScope);
}

/**
 * The scope a tool call lacks; undefined if it may run. What the assistant reads to answer comes with the right to
 * invoke it; what it changes needs the scope of the change. A tool that names no scope is for tokens that may read
 * everything, or do everything.
 */
export function missingToolScope(actor: Actor, { scope, effect }: ToolDeclaration): string | undefined {
  if (actor.boundTo !== undefined) return '*';
  if (actor.scopes === undefined || scope === null) return undefined;
  if (effect === 'read' && actor.origin === 'AI') return undefined;
  const needed = [scope ?? (effect === 'read' ? 'read:*' : '*')].flat();
  return needed.find((each) => !scopesCover(actor.scopes, each));
}

function notForClients(boundTo: string): AppError {
  const message = `These credentials were made for the integration "${boundTo}", whose client does not call this; use others`;
  return new AppError('missing_permissions', message);
}

export function insufficientScope(needed: string, why?: string): AppError {
  const message = `The token is restricted: this needs the scope ${needed}`;
  return new AppError('insufficient_scope', why === undefined ? message : `${message}. ${why}`);
}
