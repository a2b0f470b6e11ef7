import { Button, Group, Stack, Title } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { keepSession, sessionKey, useSession } from '../../api/session.ts';
import { useContractForm } from '../../kit/form.tsx';
import { PasswordField } from '../../kit/password-field.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';

/** For users who sign in with a password. */
export function ChangePassword() {
  const { session, user } = useSession();
  const queries = useQueryClient();
  const nothing = { currentPassword: '', newPassword: '' };
  const form = useContractForm('changePassword', {
    initial: nothing,
    input: (body) => ({ body }),
    staleAfter: ['listSessions'],
    done: t('The password was changed. Your other sessions have ended'),
    onSaved: (identity) => {
      queries.setQueryData(sessionKey, keepSession(identity));
      form.set(nothing);
    },
  });
  if (!user || session?.method !== 'password') return null;
  const { currentPassword, newPassword } = form.values;
  return (
    <form onSubmit={(event) => void form.submit(event)} aria-labelledby="password">
      <Stack gap="sm" maw={400}>
        <Title order={2} id="password">
          {t('Password')}
        </Title>
        {form.error && <ErrorState error={form.error} what={t('The password was not changed')} />}
        <PasswordField
          label={t('Present password')}
          autoComplete="current-password"
          shows={t('the present password')}
          {...form.field('currentPassword')}
        />
        <PasswordField
          label={t('New password')}
          description={t('At least 8 characters')}
          autoComplete="new-password"
          shows={t('the new password')}
          {...form.field('newPassword')}
        />
        <Group>
          <Button
            type="submit"
            variant="default"
            loading={form.isBusy}
            disabled={currentPassword === '' || newPassword.length < 8}
          >
            {t('Change password')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
