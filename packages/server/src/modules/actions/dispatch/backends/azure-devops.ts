import { createHmac } from 'node:crypto';
import { openedFor } from '../../../../platform/actor.ts';
import { OutgoingFailure } from '../../../../platform/outgoing/outgoing.ts';
import type { ActionsDeps } from '../../actions.deps.ts';
import { type Backend, failed, isTrue, parseContent } from '../backend.ts';
import { secretsWithheld, usableSecrets } from '../secrets-for.ts';
import { answerFailure, followedIf, isName } from './answers.ts';

const home = 'https://dev.azure.com';

/**
 * Calls an incoming webhook of Azure DevOps, which starts the pipelines that listen to it. The run waits for a report;
 * with `reportWorkflowStatus` and a `project` it ends with the first pipeline of the project started this way. Azure
 * checks a SHA-1 signature in hexadecimal, so `x-port-signature` differs from the usual one.
 */
export function azureDevopsBackend(deps: ActionsDeps): Backend {
  const { outgoing, secrets, clock } = deps;
  return async ({ method, context, actor, signal }) => {
    const { org, webhook, payload } = method;
    if (!isName(org) || !isName(webhook)) return failed('"org" and "webhook" must each come to a name');
    const known = await usableSecrets(deps, actor);
    if (!known) return failed(`The webhook cannot be called: ${secretsWithheld}`);
    const { AZURE_DEVOPS_URL: url, AZURE_DEVOPS_TOKEN: token } = known;
    const base = (url || home).trim().replace(/\/+$/, '');
    const since = clock.now().toISOString();
    const body = JSON.stringify(payload ?? context);
    const secret = await secrets.signingSecretOf(actor.orgId, openedFor(actor));
    const hook = encodeURIComponent(webhook);
    try {
      const answer = await outgoing.send({
        url: `${base}/${encodeURIComponent(org)}/_apis/public/distributedtask/webhooks/${hook}?api-version=6.0-preview`,
        headers: {
          'content-type': 'application/json',
          'user-agent': 'portolan',
          ...(secret === undefined
            ? {}
            : { 'x-port-signature': createHmac('sha1', secret).update(body).digest('hex') }),
        },
        body,
        signal,
      });
      if (answer.status < 200 || answer.status >= 300) return answerFailure('Azure DevOps', answer);
      const project = isTrue(method['reportWorkflowStatus']) ? method['project'] : undefined;
      return {
        kind: 'accepted',
        response: { statusCode: answer.status, body: parseContent(answer.body) },
        ...(isName(project)
          ? followedIf(token, 'AZURE_DEVOPS_TOKEN', {
              service: 'AZURE_DEVOPS',
              org,
              repo: project,
              workflow: webhook,
              ref: '',
              since,
            })
          : {}),
      };
    } catch (error) {
      if (!(error instanceof OutgoingFailure)) throw error;
      return { kind: 'failed', message: error.message, canRetry: error.kind !== 'refused' };
    }
  };
}
