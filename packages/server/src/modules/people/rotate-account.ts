import type { Actor } from '../../platform/actor.ts';
import { invalidRequest } from '../../platform/errors.ts';
import { issueAccount, prepareAccount } from '../identity/index.ts';
import { userOf } from './named-people.ts';
import type { PeopleDeps } from './people.deps.ts';

/** New credentials of a service account, in this answer and nowhere else. @throws AppError `not_found`, `invalid_request` */
export async function rotateAccount(
  { unitOfWork }: Pick<PeopleDeps, 'unitOfWork'>,
  actor: Actor,
  email: string,
): Promise<{ readonly clientId: string; readonly clientSecret: string }> {
  const account = await prepareAccount();
  await unitOfWork(actor, async (work) => {
    const { identifier, type } = await userOf(work.tx, actor.orgId, email);
    if (type !== 'Service Account') {
      throw invalidRequest([{ path: '{params}/user_email', message: 'must be the address of a service account' }]);
    }
    await issueAccount(work, identifier, account);
  });
  return { clientId: account.clientId, clientSecret: account.clientSecret };
}
