import type { Operation } from '@portolan/contract/operation';

/**
 * Operations that no run may call, whoever wrote its action: the answer is stored where everybody who sees the run
 * reads it. Operations of the operator are excluded as well.
 */
const barred: ReadonlySet<string> = new Set([
  // answer with credentials
  'createAccessToken',
  'createApiToken',
  'rotateApiToken',
  'createApp',
  'rotateAppSecret',
  'rotateCredentials',
  'createPasswordLink',
  'createInvitation',
  'renewInvitation',
  'createInstall',
  'renewSourceWebhook',
  'getKafkaCredentials',
  'decideAuthorization',
  // change who is signed in
  'signIn',
  'startSso',
  'finishSso',
  'redeemPasswordLink',
  'lookAtLink',
  'changePassword',
  'enterOrganization',
  // widen what a credential may do
  'setAppPermissions',
  // answer with secrets or addresses that authenticate a sender
  'listWebhooks',
  'getWebhook',
  'createWebhook',
  'replaceWebhook',
  'patchWebhook',
  // hand out calls with their secrets
  'claimRuns',
  'claimNodeRuns',
  // are decisions for a person
  'decideRun',
  'editDraft',
  'decideMissing',
  'respondToNodeRun',
]);

export function isBarred({ id, access }: Operation): boolean {
  return access === 'operator' || barred.has(id);
}

/** Exported for the test that each of them exists. */
export const barredOperations: readonly string[] = [...barred];
