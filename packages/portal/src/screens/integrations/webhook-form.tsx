import { Button, Group, NativeSelect, Stack, Switch, Text, Textarea, TextInput, Title } from '@mantine/core';
import { ChevronDown } from 'lucide-react';
import { useCommands } from '../../frame/commands.tsx';
import { useSentForm } from '../../kit/form.tsx';
import { typedOr } from '../../kit/identifier-from.ts';
import { PasswordField } from '../../kit/password-field.tsx';
import { ErrorState } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import classes from '../../parts/form.module.css';
import { missingSecurity, securityPresets, type Webhook, type WebhookValues } from './webhook-values.ts';

const algorithms = [
  { value: '', label: t('Not at all') },
  { value: 'sha256', label: t('HMAC SHA-256 of the body') },
  { value: 'sha1', label: t('HMAC SHA-1 of the body') },
  { value: 'plain', label: t('The secret itself') },
];

/** Name and security of a webhook. Typed values survive a refusal. */
export function WebhookForm({
  initial,
  isNew = false,
  verb,
  send,
  done,
  onSaved,
}: {
  initial: WebhookValues;
  isNew?: boolean;
  verb: string;
  send: (values: WebhookValues) => Promise<Webhook>;
  done: string;
  onSaved: (saved: Webhook) => void | Promise<void>;
}) {
  const form = useSentForm({
    // undefined: the identifier follows the title until the user types one
    initial: { ...initial, identifier: isNew ? undefined : initial.identifier },
    send: (values) => send({ ...values, identifier: typedOr(values, 30) }),
    staleAfter: ['listWebhooks'],
    guards: initial.title || 'the webhook',
    done: (_, { title }) => `${title} ${done}`,
    onSaved,
  });
  const { values, set } = form;
  const identifier = typedOr(values, 30);
  const isReady = values.title.trim() !== '' && identifier !== '' && form.isDirty;
  const missing = missingSecurity({ ...values, identifier });
  const save = () => {
    if (isReady) void form.submit();
  };
  useCommands([{ id: 'webhook.save', label: verb, keys: 'mod+s', run: save }]);
  return (
    <form
      className={classes.form}
      onSubmit={(event) => {
        event.preventDefault();
        save();
      }}
    >
      <section className={classes.section} aria-label={t('Webhook')}>
        <TextInput label={t('Title')} required withAsterisk={false} maxLength={30} {...form.field('title')} />
        <TextInput
          label={t('Identifier')}
          description={isNew ? t('What the API and Terraform call it') : t('Another one renames it; the address stays')}
          required
          withAsterisk={false}
          maxLength={30}
          {...form.field('identifier')}
          value={identifier}
        />
        <Textarea label={t('Description')} autosize maxLength={200} {...form.field('description')} />
        <Switch label={t('Receives events')} {...form.box('enabled')} />
      </section>
      <section className={classes.section} aria-labelledby="security">
        <Title order={2} size="h3" id="security">
          {t('Who is let in')}
        </Title>
        <Text size="sm" c="dimmed">
          {t('The address is hard to guess, but anyone who knows it may send events. A signature proves who sent one.')}
        </Text>
        <Group gap="xs">
          {securityPresets.map((preset) => (
            <Button key={preset.label} size="xs" variant="default" onClick={() => set(preset.values)}>
              {t('As {label} signs', { label: preset.label })}
            </Button>
          ))}
          <Button
            size="xs"
            variant="subtle"
            onClick={() => set({ secret: '', signatureHeaderName: '', signatureAlgorithm: '', signaturePrefix: '' })}
          >
            {t('No signature')}
          </Button>
        </Group>
        <NativeSelect
          label={t('How it is checked')}
          data={algorithms}
          {...form.field('signatureAlgorithm')}
          rightSection={<ChevronDown size={14} aria-hidden="true" />}
        />
        <PasswordField
          label={t('Secret')}
          description={t('The sender has the same')}
          autoComplete="off"
          {...form.field('secret')}
        />
        <TextInput label={t('Header with the signature')} {...form.field('signatureHeaderName')} />
        <TextInput
          label={t('What stands before the signature')}
          description={t('Such as sha256=')}
          {...form.field('signaturePrefix')}
        />
        <TextInput
          label={t('What tells a request apart (JQ)')}
          description={t('An event with an id that came before is dropped')}
          placeholder='.headers."x-request-id"'
          styles={{ input: { fontFamily: 'var(--mantine-font-family-monospace)' } }}
          {...form.field('requestIdentifierPath')}
        />
        {missing && (
          <Text size="sm" c="var(--danger)" role="status">
            {missing}
          </Text>
        )}
      </section>
      {form.error && <ErrorState error={form.error} what={t('The changes were not saved')} />}
      <Stack gap="xs" align="flex-start">
        <Group>
          <Button type="submit" loading={form.isBusy} disabled={!isReady}>
            {verb}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}
