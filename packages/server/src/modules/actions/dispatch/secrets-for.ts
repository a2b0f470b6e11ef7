import { scopesCover } from '@portolan/contract';
import { type JqValue, listTemplateBlocks } from '@portolan/jq';
import { type Actor, openedFor } from '../../../platform/actor.ts';
import type { ActionsDeps } from '../actions.deps.ts';
import type { StoredRun } from '../runs/run.ts';
import { Unrenderable } from './render-invocation.ts';

/** What a token must be allowed to, so that what it saves may send the organization's secrets somewhere. */
const needed = 'read:secrets';

/**
 * The secrets that the templates of a run may take in: none where the action was saved with a token that may not use them,
 * since whoever writes the address reads what is sent there.
 * @throws Unrenderable if such an action asks for one
 */
export async function secretsFor(
  { secrets }: Pick<ActionsDeps, 'secrets'>,
  actor: Actor,
  { action: { definition } }: Pick<StoredRun, 'action'>,
): Promise<Readonly<Record<string, string>>> {
  if (scopesCover(actor.scopes, needed)) return secrets.secretsOf(actor.orgId, openedFor(actor));
  if (!asksForSecrets(definition.invocationMethod)) return {};
  throw new Unrenderable(
    `it uses secrets, and was saved with a token that may not (${needed}). Save the action with one that may`,
  );
}

function asksForSecrets(method: object): boolean {
  try {
    return listTemplateBlocks(method as JqValue).some(({ expression }) => expression.includes('secrets'));
  } catch {
    // braces that do not match are told when it is rendered
    return false;
  }
}
