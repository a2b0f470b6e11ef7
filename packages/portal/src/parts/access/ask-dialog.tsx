import { Anchor, Button, CopyButton, Group, Stack, Text, Textarea } from '@mantine/core';
import { useSession } from '../../api/session.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { useAdministrators } from './administrators.ts';
import { WhoCanGrant } from './who-can-grant.tsx';

export interface AccessQuestion {
  /** What the user wanted to do: "delete the service EDI Bridge". */
  readonly to: string;
  /** Whom the right is given to: "Admin, or Moderator of Service". */
  readonly needs: string;
}

const subject = t('Access in Portolan');

/** Says what something needs and who can give it, and has a message ready to send. */
export function AskDialog({
  isOpen,
  question,
  onClose,
}: {
  isOpen: boolean;
  question: AccessQuestion | undefined;
  onClose: () => void;
}) {
  return (
    <Dialog opened={isOpen} onClose={onClose} title={t('Ask for access')}>
      {question && isOpen && <Asked question={question} onClose={onClose} />}
    </Dialog>
  );
}

function Asked({ question: { to, needs }, onClose }: { question: AccessQuestion; onClose: () => void }) {
  const { user } = useSession();
  const administrators = useAdministrators();
  const who = user?.name ?? user?.email;
  const message = t('Please give me the right to {to}. Portolan says this needs {needs}.\n{href}{word}', {
    to,
    needs,
    href: location.href,
    word: who ? `\n\n${who}` : '',
  });
  return (
    <Stack>
      <Text>
        <Sentence text="To {to}, you need: <strong/>." values={{ to }} parts={{ strong: <strong>{needs}</strong> }} />
      </Text>
      <Text size="sm">
        <WhoCanGrant />
      </Text>
      <Textarea label={t('Message to send')} value={message} readOnly autosize minRows={4} dir="auto" />
      <Group justify="flex-end">
        {administrators.length > 0 && (
          <Anchor href={mailTo(administrators, message)} me="auto" size="sm">
            {t('Write an email')}
          </Anchor>
        )}
        <Button variant="default" onClick={onClose}>
          {t('Close')}
        </Button>
        <CopyButton value={message}>
          {({ copied, copy }) => (
            <Button onClick={copy} data-autofocus>
              {copied ? t('Copied') : t('Copy message')}
            </Button>
          )}
        </CopyButton>
      </Group>
    </Stack>
  );
}

function mailTo(people: readonly { readonly email: string }[], message: string): string {
  const to = people.slice(0, 10).map(({ email }) => encodeURIComponent(email));
  return `mailto:${to.join(',')}?subject=${encodeURIComponent(subject)}&body=${encodeURIComponent(message)}`;
}
