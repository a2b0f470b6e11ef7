import { Alert, Button, Code, CopyButton, Group, Select, Stack, Text, TextInput, VisuallyHidden } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../parts/dialog.tsx';
import classes from './account.module.css';
import { expiryAfter, lives, reaches } from './token-life.ts';

/** Asks for name, life and reach, then shows the token once. */
export function GenerateToken({ isOpen, onClose }: { isOpen: boolean; onClose: () => void }) {
  const create = useChange('createApiToken', { staleAfter: ['listApiTokens'] });
  const close = () => {
    onClose();
    create.reset();
  };
  return (
    <Dialog
      opened={isOpen}
      onClose={close}
      title="Generate API token"
      size="lg"
      // a token that is shown once must not be lost to a slip of the mouse
      closeOnClickOutside={!create.data}
    >
      {create.data ? <Issued issued={create.data} onDone={close} /> : <TokenForm create={create} />}
    </Dialog>
  );
}

function TokenForm({ create }: { create: ReturnType<typeof useChange<'createApiToken'>> }) {
  const [name, setName] = useState('');
  const [days, setDays] = useState<string>('30');
  const [reach, setReach] = useState<string>('all');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const scopes = reaches.find(({ value }) => value === reach)?.scopes ?? ['*'];
    create.mutate({ body: { name: name.trim(), expiresAt: expiryAfter(days, Date.now()), scopes: [...scopes] } });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        {create.error && (
          <Alert color="red" role="alert">
            {create.error.message}
          </Alert>
        )}
        <TextInput
          label="Name"
          description="What uses it, so that you know later what to revoke"
          required
          withAsterisk={false}
          maxLength={100}
          data-autofocus
          value={name}
          onChange={({ currentTarget }) => setName(currentTarget.value)}
        />
        <Select
          label="Expires after"
          data={lives}
          value={days}
          onChange={(value) => setDays(value ?? '30')}
          allowDeselect={false}
        />
        <Select
          label="May do"
          data={reaches.map(({ value, label }) => ({ value, label }))}
          value={reach}
          onChange={(value) => setReach(value ?? 'all')}
          allowDeselect={false}
        />
        <Group justify="flex-end">
          <Button type="submit" loading={create.isPending} disabled={name.trim() === ''}>
            Generate
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

function Issued({ issued, onDone }: { issued: AnswerOf<'createApiToken'>; onDone: () => void }) {
  const command = `curl ${location.origin}/v1/blueprints \\\n  -H "Authorization: Bearer ${issued.accessToken}"`;
  return (
    <Stack>
      <Alert color="yellow">This is shown once. Copy it now and keep it where secrets are kept.</Alert>
      <Copyable text={issued.accessToken} label="API token" button="Copy token" />
      <Copyable text={command} label="Try it" button="Copy command" />
      <Text size="sm" c="dimmed">
        Other clients take it as <Code>Authorization: Bearer …</Code>
      </Text>
      <Group justify="flex-end">
        <Button onClick={onDone}>I stored it</Button>
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
                {copied ? 'Copied' : button}
              </Button>
              <VisuallyHidden role="status">{copied ? 'Copied' : ''}</VisuallyHidden>
            </>
          )}
        </CopyButton>
      </div>
    </div>
  );
}
