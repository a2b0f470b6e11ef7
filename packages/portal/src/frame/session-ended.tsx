import { Text } from '@mantine/core';
import type { Session } from '../api/session.ts';
import { Dialog } from '../kit/dialog.tsx';
import { t } from '../kit/translate.ts';
import { SignInForm } from './sign-in-form.tsx';

/** Asks for the password over the screen; only signing in closes it. */
export function SessionEnded({
  isOpen,
  onSignedIn,
}: {
  isOpen: boolean;
  onSignedIn: (session: Session) => Promise<void>;
}) {
  return (
    <Dialog
      opened={isOpen}
      onClose={() => {}}
      withCloseButton={false}
      closeOnEscape={false}
      closeOnClickOutside={false}
      title={t('Your session has ended')}
    >
      <Text mb="md">{t('Sign in to go on. What you typed is still here.')}</Text>
      <SignInForm onSignedIn={onSignedIn} returnTo={location.pathname + location.search} />
    </Dialog>
  );
}
