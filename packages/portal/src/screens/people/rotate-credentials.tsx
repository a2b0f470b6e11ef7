import { Alert, Button, Group, Stack, Text } from '@mantine/core';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { IssuedCredentials } from './issued-credentials.tsx';

/** Gives a service account new credentials, which are shown once. */
export function RotateCredentials({ email, onClose }: { email: string; onClose: () => void }) {
  const rotate = useChange('rotateCredentials', { staleAfter: ['listUsers'] });
  const issued = rotate.data?.credentials;
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={`New credentials for ${email}`}
      // what is shown once must not be lost to a slip of the mouse
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
            <Text>The credentials it has now end with this.</Text>
            <Group justify="flex-end">
              <Button variant="default" onClick={onClose}>
                Cancel
              </Button>
              <Button
                loading={rotate.isPending}
                onClick={() => rotate.mutate({ params: { user_email: email }, body: {} })}
              >
                Make new credentials
              </Button>
            </Group>
          </>
        )}
      </Stack>
    </Dialog>
  );
}
