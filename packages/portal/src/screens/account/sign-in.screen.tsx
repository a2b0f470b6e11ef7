import { Alert } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { useRouter } from '@tanstack/react-router';
import { keepSession, type Session, sessionKey } from '../../api/session.ts';
import { SignInForm } from '../../frame/sign-in-form.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { t } from '../../kit/translate.ts';
import { BarePage } from './bare-page.tsx';
import { returnAddress } from './return-address.ts';

const reasons: Readonly<Record<string, string>> = {
  sign_in_refused: t(
    'The identity provider vouched for you, but you may not sign in here. Ask an administrator to invite you.',
  ),
  sso_provider_unavailable: t('The identity provider did not answer. Try again in a moment, or use your password.'),
  too_many_requests: t('Too many attempts. Wait a minute and try again.'),
  user_limit_reached: t('This organization has no room for more people. Ask an administrator.'),
};

export function Screen() {
  const queries = useQueryClient();
  const router = useRouter();
  const [asked] = useUrlState('/sign-in', 'return_to');
  const [error] = useUrlState('/sign-in', 'error');
  const target = returnAddress(asked, location.origin);
  const enter = async (session: Session) => {
    document.documentElement.dataset['session'] = 'sent';
    queries.clear();
    queries.setQueryData(sessionKey, keepSession(session));
    router.history.replace(target);
  };
  return (
    <BarePage title={t('Sign in')} lead={t('The developer portal of your organization.')}>
      {error && (
        <Alert color="red" mb="md" role="alert">
          {reasons[error] ?? t('Signing in did not work. Try again.')}
        </Alert>
      )}
      <SignInForm onSignedIn={enter} returnTo={target} />
    </BarePage>
  );
}
