import { Button, CopyButton, Group, Stack, Text, TextInput } from '@mantine/core';
import { Check, Copy } from 'lucide-react';
import type { AnswerOf } from '../../api/api.ts';
import { planned } from '../../kit/time.ts';
import { plural, t } from '../../kit/translate.ts';
import classes from './people.module.css';

export type MadeInvitation = Pick<AnswerOf<'createInvitation'>, 'invitation' | 'link'>;

/** The links of new invitations, shown only now. */
export function InvitationLinks({ made }: { made: readonly MadeInvitation[] }) {
  const [first] = made;
  if (!first) return null;
  const mailed = made.some(({ invitation }) => invitation.mail.state !== 'none');
  const until = planned(new Date(first.link.expiresAt));
  const all = made.map(({ invitation, link }) => `${invitation.email}\t${link.url}`).join('\n');
  return (
    <Stack gap="sm">
      <Text>
        {mailed && `${t('An e-mail with a link is on its way.')} `}
        {plural(
          made.length,
          'Pass on this link yourself: it works once, until {until}, and is shown only now.',
          'Pass on these links yourself: each works once, until {until}, and is shown only now.',
          { until },
        )}
      </Text>
      <ul className={classes.links} aria-label={t('Links')}>
        {made.map(({ invitation: { email }, link: { url } }) => (
          <li key={email}>
            <Group gap="xs" wrap="nowrap" align="flex-end">
              <TextInput
                className={classes.link}
                label={email}
                value={url}
                readOnly
                onFocus={({ currentTarget }) => currentTarget.select()}
              />
              <Copying value={url} text={t('Copy link')} of={email} />
            </Group>
          </li>
        ))}
      </ul>
      {made.length > 1 && (
        <Group>
          <Copying value={all} text={t('Copy all')} />
        </Group>
      )}
      <Text size="sm" c="dimmed">
        {t('Anyone with a link can sign in as that person.')}
      </Text>
    </Stack>
  );
}

function Copying({ value, text, of }: { value: string; text: string; of?: string }) {
  return (
    <CopyButton value={value} timeout={3000}>
      {({ copied, copy }) => (
        <Button
          variant="default"
          className={classes.copy}
          leftSection={copied ? <Check size={16} aria-hidden="true" /> : <Copy size={16} aria-hidden="true" />}
          onClick={copy}
          {...(of === undefined
            ? {}
            : { 'aria-label': t('{word} of {of}', { word: copied ? t('Copied the link') : text, of }) })}
        >
          {copied ? t('Copied') : text}
        </Button>
      )}
    </CopyButton>
  );
}
