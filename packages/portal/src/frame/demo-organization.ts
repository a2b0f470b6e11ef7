import { call } from '../api/api.ts';
import { replaceProof } from '../api/session-fetch.ts';
import { useAttempt } from '../kit/attempt.ts';
import { useConfirm } from '../kit/confirm.tsx';
import { t } from '../kit/translate.ts';

/** Goes on in the other organization of the session: the portal begins anew there. */
export function useEnter() {
  const attempt = useAttempt();
  return async (organization: string): Promise<void> => {
    if (await attempt(() => enter(organization))) location.assign('/');
  };
}

/**
 * Removes the demo after its name was typed, and resolves to whether it was. In the demo, `own` is the organization to go
 * back to first: the session there ends with it.
 */
export function useRemoveDemo() {
  const attempt = useAttempt();
  const confirm = useConfirm();
  return async (name: string, own?: string): Promise<boolean> => {
    const isMeant = await confirm({
      title: t('Remove {name}', { name }),
      consequence: t(
        'The demo goes with everything in it, also what people added there. Your own data stays as it is.',
      ),
      verb: t('Remove'),
      typed: name,
    });
    if (!isMeant) return false;
    const hasEntered = own === undefined || (await attempt(() => enter(own)));
    if (!hasEntered) return false;
    const isRemoved = await attempt(
      () => call('removeDemoOrganization', { query: { confirm: name } }),
      t('{name} was removed', { name }),
    );
    if (own !== undefined) location.assign('/');
    return isRemoved;
  };
}

async function enter(id: string): Promise<void> {
  const { csrfToken, organization } = await call('enterOrganization', { params: { organization_id: id } });
  replaceProof({ csrfToken, organization: organization.id });
}
