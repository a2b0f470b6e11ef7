import { Alert, Button, Code, CopyButton, Group, Select, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormBody, useContractForm } from '../../kit/form.tsx';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import classes from './account.module.css';
import { expiryAfter, lives, reaches } from './token-life.ts';

/** Asks for name, lifetime and scopes, then shows the token once. */
export function GenerateToken({ onClose }: { onClose: () => void }) {
  const [issued, setIssued] = useState<AnswerOf<'createApiToken'>>();
  return (
    <Dialog
      opened
      onClose={onClose}
      title={t('Generate API token')}
      size="lg"
      // the token is shown only once: a stray click must not close the dialog
      closeOnClickOutside={!issued}
    >
      {issued ? <Issued issued={issued} onDone={onClose} /> : <TokenForm onIssued={setIssued} />}
    </Dialog>
  );
}

function TokenForm({ onIssued }: { onIssued: (issued: AnswerOf<'createApiToken'>) => void }) {
  const form = useContractForm('createApiToken', {
    initial: { name: '', days: '30', reach: 'all' },
    input: ({ name, days, reach }) => {
      const scopes = reaches.find(({ value }) => value === reach)?.scopes ?? ['*'];
      return { body: { name: name.trim(), expiresAt: expiryAfter(days, Date.now()), scopes: [...scopes] } };
    },
    staleAfter: ['listApiTokens'],
    onSaved: onIssued,
  });
  return (
    <FormBody
      form={form}
      verb={t('Generate')}
      refused={t('No token was made')}
      isReady={form.values.name.trim() !== ''}
    >
      <TextInput
        label={t('Name')}
        description={t('What uses it, so that you know later what to revoke')}
        required
        withAsterisk={false}
        maxLength={100}
        data-autofocus
        {...form.field('name')}
      />
      <Select label={t('Expires after')} data={lives} allowDeselect={false} {...form.field('days')} />
      <Select
        label={t('May do')}
        data={reaches.map(({ value, label }) => ({ value, label }))}
        allowDeselect={false}
        {...form.field('reach')}
      />
    </FormBody>
  );
}

function Issued({ issued, onDone }: { issued: AnswerOf<'createApiToken'>; onDone: () => void }) {
  const command = `curl ${location.origin}/v1/blueprints \\\n  -H "Authorization: Bearer ${issued.accessToken}"`;
  return (
    <Stack>
      <Alert color="yellow">{t('This is shown once. Copy it now and keep it where secrets are kept.')}</Alert>
      <Copyable text={issued.accessToken} label={t('API token')} button={t('Copy token')} />
      <Copyable text={command} label={t('Try it')} button={t('Copy command')} />
      <Text size="sm" c="dimmed">
        <Sentence text="Other clients take it as <code>Authorization: Bearer …</code>" parts={{ code: <Code /> }} />
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('I stored it')}</Button>
      </Group>
    </Stack>
  );
}

function Copyable({ text, label, button }: { text: string; label: string; button: string }) {
  return (
    <div>
      <Text size="sm" fw={550} mb={4}>
        {label}
      </Text>
      <div className={classes.token}>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls has to be reachable by keys */}
        <section tabIndex={0} aria-label={label}>
          <code>{text}</code>
        </section>
        <CopyButton value={text} timeout={3000}>
          {({ copied, copy }) => (
            <>
              <Button size="xs" variant="default" onClick={copy}>
                {copied ? t('Copied') : button}
              </Button>
              <VisuallyHidden role="status">{copied ? t('Copied') : ''}</VisuallyHidden>
            </>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
