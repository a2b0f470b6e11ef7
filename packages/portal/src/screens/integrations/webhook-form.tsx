import { Button, Group, NativeSelect, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useCommands } from '../../frame/commands.tsx';
import form from '../../parts/form.module.css';
import { keyFor } from '../../parts/json-value.ts';
import { PasswordField } from '../../parts/password-field.tsx';
import { issueAt, issuesOf } from '../../parts/refusal.ts';
import { ErrorState } from '../../parts/states.tsx';
import { useLeaveGuard } from '../../parts/use-leave-guard.ts';
import { missingSecurity, securityPresets, type WebhookValues } from './webhook-values.ts';

const algorithms = [
  { value: '', label: 'Not at all' },
  { value: 'sha256', label: 'HMAC SHA-256 of the body' },
  { value: 'sha1', label: 'HMAC SHA-1 of the body' },
  { value: 'plain', label: 'The secret itself' },
];

/** What a webhook is called, and who is let in. What was written stays if the server refuses it. */
export function WebhookForm({
  initial,
  isNew = false,
  verb,
  isBusy,
  error,
  onSave,
  children,
}: {
  initial: WebhookValues;
  isNew?: boolean;
  verb: string;
  isBusy: boolean;
  error: Error | null;
  onSave: (values: WebhookValues) => void;
  children?: ReactNode;
}) {
  const [values, setValues] = useState(initial);
  const [key, setKey] = useState<string>();
  const set = (changed: Partial<WebhookValues>) => setValues((before) => ({ ...before, ...changed }));
  const identifier = isNew ? (key ?? keyFor(values.title).slice(0, 30)) : values.identifier;
  const isChanged = JSON.stringify(values) !== JSON.stringify(initial) || key !== undefined;
  const isReady = values.title.trim() !== '' && identifier !== '' && isChanged;
  const issues = issuesOf(error);
  const missing = missingSecurity(values);
  useLeaveGuard(isChanged && !isBusy, values.title || 'the webhook');
  const save = () => {
    if (isReady && !isBusy) onSave({ ...values, identifier });
  };
  useCommands([{ id: 'webhook.save', label: verb, keys: 'mod+s', run: save }]);
  return (
    <form
      className={form.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <section className={form.section} aria-label="Webhook">
        <TextInput
          label="Title"
          required
          withAsterisk={false}
          maxLength={30}
          value={values.title}
          error={issueAt(issues, 'title')}
          onChange={({ currentTarget }) => set({ title: currentTarget.value })}
        />
        <TextInput
          label="Identifier"
          description={isNew ? 'What the API and Terraform call it' : 'Another one renames it; the address stays'}
          required
          withAsterisk={false}
          maxLength={30}
          value={identifier}
          error={issueAt(issues, 'identifier')}
          onChange={({ currentTarget }) =>
            isNew ? setKey(currentTarget.value) : set({ identifier: currentTarget.value })
          }
        />
        <Textarea
          label="Description"
          autosize
          maxLength={200}
          value={values.description}
          error={issueAt(issues, 'description')}
          onChange={({ currentTarget }) => set({ description: currentTarget.value })}
        />
        <Switch
          label="Receives events"
          checked={values.enabled}
          onChange={({ currentTarget }) => set({ enabled: currentTarget.checked })}
        />
      </section>
      <section className={form.section} aria-labelledby="security">
        <Title order={2} size="h3" id="security">
          Who is let in
        </Title>
        <Text size="sm" c="dimmed">
          The address is hard to guess, and whoever knows it may send. A signature proves who sent an event.
        </Text>
        <Group gap="xs">
          {securityPresets.map((preset) => (
            <Button key={preset.label} size="xs" variant="default" onClick={() => set(preset.values)}>
              As {preset.label} signs
            </Button>
          ))}
          <Button
            size="xs"
            variant="subtle"
            onClick={() => set({ secret: '', signatureHeaderName: '', signatureAlgorithm: '', signaturePrefix: '' })}
          >
            No signature
          </Button>
        </Group>
        <NativeSelect
          label="How it is checked"
          data={algorithms}
          value={values.signatureAlgorithm}
          error={issueAt(issues, 'security', 'signatureAlgorithm')}
          onChange={({ currentTarget }) => set({ signatureAlgorithm: currentTarget.value })}
          rightSection={<ChevronDown size={14} aria-hidden="true" />}
        />
        <PasswordField
          label="Secret"
          description="The sender has the same"
          autoComplete="off"
          value={values.secret}
          error={issueAt(issues, 'security', 'secret')}
          onChange={({ currentTarget }) => set({ secret: currentTarget.value })}
        />
        <TextInput
          label="Header with the signature"
          value={values.signatureHeaderName}
          error={issueAt(issues, 'security', 'signatureHeaderName')}
          onChange={({ currentTarget }) => set({ signatureHeaderName: currentTarget.value })}
        />
        <TextInput
          label="What stands before the signature"
          description="Such as sha256="
          value={values.signaturePrefix}
          error={issueAt(issues, 'security', 'signaturePrefix')}
          onChange={({ currentTarget }) => set({ signaturePrefix: currentTarget.value })}
        />
        <TextInput
          label="What tells a request apart (JQ)"
          description="An event with an id that came before is dropped"
          placeholder='.headers."x-request-id"'
          value={values.requestIdentifierPath}
          error={issueAt(issues, 'security', 'requestIdentifierPath')}
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          onChange={({ currentTarget }) => set({ requestIdentifierPath: currentTarget.value })}
        />
        {missing && (
          <Text size="sm" c="var(--danger)" role="status">
            {missing}
          </Text>
        )}
      </section>
      {error && <ErrorState error={error} what="It was not saved" />}
      <Stack gap="xs" align="flex-start">
        <Group>
          <Button type="submit" loading={isBusy} disabled={!isReady}>
            {verb}
          </Button>
          {children}
        </Group>
      </Stack>
    </form>
  );
}
