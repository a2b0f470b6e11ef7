import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { t } from '../../kit/translate.ts';
import { IssuedCredentials } from './issued-credentials.tsx';

/** Rotates the credentials of a service account; the new ones are shown once. */
export function RotateCredentials({ email, onClose }: { email: string; onClose: () => void }) {
  const rotate = useChange('rotateCredentials', { staleAfter: ['listUsers'] });
  const issued = rotate.data?.credentials;
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={t('New credentials for {email}', { email })}
      // the credentials are shown only once: a stray click must not close the dialog
      closeOnClickOutside={!issued}
      closeOnEscape={!issued}
    >
      <Stack>
        {rotate.error && (
          <Alert color="red" role="alert">
            {rotate.error.message}
          </Alert>
        )}
        {issued ? (
          <IssuedCredentials {...issued} onDone={onClose} />
        ) : (
          <>
            <Text>{t('The credentials it has now end with this.')}</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                {t('Cancel')}
              </Button>
              <Button
                loading={rotate.isPending}
                onClick={() => rotate.mutate({ params: { user_email: email }, body: {} })}
              >
                {t('Make new credentials')}
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
