import { Alert, Button, Checkbox, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/translate.ts';
import { InvitationLinks } from './invitation-links.tsx';

/** Makes a new link for somebody who was invited; it is shown once. */
export function InviteAgain({ email, canMail, onClose }: { email: string; canMail: boolean; onClose: () => void }) {
  const [mail, setMail] = useState(true);
  const renew = useChange('renewInvitation', { staleAfter: ['listUsers', 'listInvitations'] });
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('New link for {email}', { email })}
      closeOnClickOutside={!renew.data}
      closeOnEscape={!renew.data}
    >
      <Stack>
        {renew.error && (
          <Alert color="red" role="alert" title={t('No link was made')}>
            {renew.error.message}
          </Alert>
        )}
        {renew.data ? (
          <>
            <InvitationLinks made={[renew.data]} />
            <Group justify="flex-end">
              <Button onClick={onClose} data-autofocus>
                {t('Done')}
              </Button>
            </Group>
          </>
        ) : (
          <>
            <Text>{t('Links that were made before stop working.')}</Text>
            {canMail && (
              <Checkbox
                label={t('Send it by e-mail too')}
                checked={mail}
                onChange={({ currentTarget }) => setMail(currentTarget.checked)}
              />
            )}
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button
                data-autofocus
                loading={renew.isPending}
                onClick={() => renew.mutate({ params: { user_email: email }, body: { mail: mail && canMail } })}
              >
                {t('Make a new link')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
