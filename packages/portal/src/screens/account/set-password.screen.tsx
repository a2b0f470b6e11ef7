import { Alert, Button, Divider, Stack } from '@mantine/core';
import { useEffect, useState } from 'react';
import { type AnswerOf, ApiError, errorCode } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { SsoButton } from '../../frame/sign-in-form.tsx';
import { TextSkeleton } from '../../kit/states.tsx';
import { planned } from '../../kit/time.ts';
import { t } from '../../kit/translate.ts';
import { BarePage } from './bare-page.tsx';
import { NewPasswordForm } from './new-password-form.tsx';

type SeenLink = AnswerOf<'lookAtLink'>;

/** Where a link leads with which somebody joins or sets a new password. */
export function Screen() {
  // the token is in the fragment, so that it reaches no server and no log
  const [token] = useState(() => location.hash.slice(1));
  useEffect(() => history.replaceState(history.state, '', location.pathname), []);
  if (token === '') return <BrokenLink />;
  return <SeenLinkPage token={token} />;
}

function SeenLinkPage({ token }: { token: string }) {
  const { data: link, error } = useRead('lookAtLink', { body: { token } });
  if (error && errorCode(error) === 'unauthorized') return <BrokenLink />;
  if (error) {
    return (
      <BarePage title={t('The link could not be checked')} lead={t('The link may still be valid.')}>
        <Alert color="red" role="alert">
          {t('{word} Open the link again in a moment.', {
            word: error instanceof ApiError ? error.message : t('The server could not be reached.'),
          })}
        </Alert>
      </BarePage>
    );
  }
  if (!link) {
    return (
      <BarePage title={t('One moment')} lead={t('The link is being checked.')}>
        <TextSkeleton lines={3} />
      </BarePage>
    );
  }
  return link.state === 'open' ? <OpenLink token={token} link={link} /> : <EndedLink link={link} />;
}

function OpenLink({ token, link }: { token: string; link: SeenLink }) {
  const { email, madeBy, organization, purpose, expiresAt } = link;
  const options = useRead('getSignInOptions', { query: { organization: organization.id } });
  const isInvitation = purpose === 'invitation';
  const { sso = null, password = true } = options.data ?? {};
  const lead = isInvitation
    ? t('{word} to the developer portal as {email}.', {
        word: madeBy ? t('{madeBy} invites you', { madeBy }) : t('You are invited'),
        email,
      })
    : t('For {email}. Saving signs you in and ends your other sessions.', { email });
  return (
    <BarePage
      title={isInvitation ? t('Join {name}', { name: organization.name }) : t('Set a new password')}
      lead={lead}
    >
      <Stack>
        {sso && isInvitation && (
          <>
            <SsoButton sso={sso} returnTo="/" />
            {password && <Divider label={t('or set a password')} />}
          </>
        )}
        {password && (
          <NewPasswordForm
            token={token}
            email={email ?? ''}
            verb={isInvitation ? t('Set the password and join') : t('Set the password and sign in')}
            until={planned(new Date(expiresAt))}
          />
        )}
      </Stack>
    </BarePage>
  );
}

function EndedLink({ link }: { link: SeenLink }) {
  return (
    <BarePage title={t('This link no longer works')} lead={whyEnded(link)}>
      <Button component="a" href="/sign-in" variant={link.state === 'used' ? 'filled' : 'default'}>
        {t('Go to sign-in')}
      </Button>
    </BarePage>
  );
}

function whyEnded({ state, madeBy, organization, expiresAt }: SeenLink): string {
  const whom = madeBy ?? t('an administrator of {name}', { name: organization.name });
  switch (state) {
    case 'used':
      return t(
        'This link was used already. Sign in the way you chose then, or ask an administrator for a new password link.',
      );
    case 'replaced':
      return t('A newer link was made for you. Use that one, or ask {whom} for another.', { whom });
    case 'expired':
      return t('This link expired on {planned}. Ask {whom} for a new one.', {
        planned: planned(new Date(expiresAt)),
        whom,
      });
    default:
      return t('This link was revoked. If you think that is a mistake, ask {whom}.', { whom });
  }
}

function BrokenLink() {
  return (
    <BarePage title={t('This link is not complete')} lead={t('A part of it is missing, or it is older than a month.')}>
      <Alert color="yellow">
        {t(
          'Open it once more as you received it, up to its last letter. If that does not help, ask the sender for a new one.',
        )}
      </Alert>
    </BarePage>
  );
}
