import { z } from 'zod';
import { SourceRefusal } from '../../source-type.ts';
import type { AzureContext } from './azure-teams.ts';

const hookSchema = z.looseObject({
  id: z.string(),
  eventType: z.string().nullish(),
  publisherInputs: z.looseObject({ projectId: z.string().nullish() }).nullish(),
  consumerInputs: z.looseObject({ url: z.string().nullish() }).nullish(),
});
const pushed = 'git.push';
/** The host has a hook for each kind of event. */
const eventTypes = [pushed, 'git.pullrequest.created', 'git.pullrequest.updated', 'build.complete'];

/**
 * Service hooks in each project that is named, or for the whole organization. One for pushes is needed; a token that may
 * not have the others told leaves them to the schedule.
 */
export async function registerHooks(
  { send, projects }: AzureContext,
  hasOwners: boolean,
  address: string,
  secret: string,
  signal: AbortSignal,
): Promise<boolean> {
  const listed = await send('/_apis/hooks/subscriptions?publisherId=tfs&consumerId=webHooks', {
    signal,
    allows: [401, 403],
  });
  if (listed.status !== 200) throw hookRefused();
  const present = z.looseObject({ value: z.array(hookSchema) }).parse(JSON.parse(listed.text)).value;
  const targets = hasOwners ? (await projects(signal)).map(({ id }) => id) : [''];
  for (const projectId of targets) {
    for (const eventType of eventTypes) {
      const ours = present.find(
        (hook) =>
          hook.eventType === eventType &&
          hook.consumerInputs?.url === address &&
          (hook.publisherInputs?.projectId ?? '') === projectId,
      );
      const answer = await send(`/_apis/hooks/subscriptions${ours ? `/${ours.id}` : ''}`, {
        method: ours ? 'PUT' : 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify({
          ...(ours ? { id: ours.id } : {}),
          publisherId: 'tfs',
          eventType,
          resourceVersion: '1.0',
          consumerId: 'webHooks',
          consumerActionId: 'httpRequest',
          publisherInputs: projectId === '' ? {} : { projectId },
          consumerInputs: {
            url: address,
            basicAuthUsername: 'portolan',
            basicAuthPassword: secret,
            resourceDetailsToSend: 'all',
            messagesToSend: 'none',
            detailedMessagesToSend: 'none',
          },
        }),
        allows: [401, 403],
        signal,
      });
      if (answer.status > 299 && eventType === pushed) throw hookRefused();
    }
  }
  return targets.length > 0;
}

function hookRefused(): SourceRefusal {
  return new SourceRefusal(
    'hook_refused',
    'The token may not make a service hook, so changes are found by the schedule only',
    'Use a token of somebody who may edit subscriptions, or make a service hook "Code pushed" by hand: the address of the source, any user and its secret as the password.',
  );
}
