import type { Operation } from '@portolan/contract';

/**
 * What no run may call, whoever wrote its action: its answer is kept where everybody who sees the run reads it, and nobody
 * looks at what it decides. Operations of the operator are closed as well.
 */
const barred: ReadonlySet<string> = new Set([
  // answers with what signs in
  'createAccessToken',
  'createApiToken',
  'rotateApiToken',
  'createApp',
  'rotateAppSecret',
  'rotateCredentials',
  'createPasswordLink',
  'getKafkaCredentials',
  // become somebody else
  'signIn',
  'startSso',
  'finishSso',
  'redeemPasswordLink',
  'changePassword',
  // widens what a credential may do
  'setAppPermissions',
  // answers with the secrets and addresses that prove who sends
  'listWebhooks',
  'getWebhook',
  'createWebhook',
  'replaceWebhook',
  'patchWebhook',
  // decides, which a person does
  'decideRun',
  'editDraft',
]);

export function isBarred({ id, access }: Operation): boolean {
  return access === 'operator' || barred.has(id);
}

/** Named so that a test can tell that each of them is there. */
export const barredOperations: readonly string[] = [...barred];
