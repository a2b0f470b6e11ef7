import { type JqValue, listTemplateBlocks } from '@portolan/jq';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import { maySendSecrets, secretsScope } from '../../../platform/scopes.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { StoredRun } from '../runs/run.ts';
import { Unrenderable } from './render-invocation.ts';

export const secretsWithheld = `it uses secrets, and was saved with a token that may not (${secretsScope}). Save it again with one that may`;

/**
 * Decides, as the only place, whether a run may use secrets. Undefined if the action was saved with a token that may
 * not, because the author of an address can read what is sent there.
 */
export async function usableSecrets(
  { secrets }: Pick<ActionsDeps, 'secrets'>,
  actor: Actor,
): Promise<Readonly<Record<string, string>> | undefined> {
  return maySendSecrets(actor) ? secrets.secretsOf(actor.orgId, openedFor(actor)) : undefined;
}

/** Secrets for the templates of a run. @throws Unrenderable if an action reads one without permission */
export async function secretsFor(
  deps: Pick<ActionsDeps, 'secrets'>,
  actor: Actor,
  { action: { definition } }: Pick<StoredRun, 'action'>,
): Promise<Readonly<Record<string, string>>> {
  const secrets = await usableSecrets(deps, actor);
  if (!secrets && asksForSecrets(definition.invocationMethod)) throw new Unrenderable(secretsWithheld);
  return secrets ?? {};
}

/** Whether templates of a document may read secrets. */
export function asksForSecrets(document: object): boolean {
  try {
    return listTemplateBlocks(document as JqValue).some(({ expression }) => expression.includes('secrets'));
  } catch {
    // rendering reports unbalanced braces
    return false;
  }
}
