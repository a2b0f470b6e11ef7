import { Alert, Group, Select, Stack, TextInput } from '@mantine/core';
import { useState } from 'react';
import { call } from '../../api/api.ts';
import { useChange } from '../../api/query.ts';
import { Dialog } from '../../kit/dialog.tsx';
import { FormBody, useSentForm } from '../../kit/form.tsx';
import { t } from '../../kit/translate.ts';
import { IssuedCredentials } from './issued-credentials.tsx';
import { RolesAndTeams } from './role-and-teams.tsx';

/** Email domains of service accounts: the installation's own, and the published one. */
const domains = [`serviceaccounts.${location.hostname}`, 'serviceaccounts.getport.io'];

interface Credentials {
  readonly clientId: string;
  readonly clientSecret: string;
}

/** Creates a service account; its credentials are shown once. */
export function NewServiceAccount({ onClose }: { onClose: () => void }) {
  const patch = useChange('patchUser', { staleAfter: ['listUsers', 'listTeams'] });
  const [issued, setIssued] = useState<Credentials>();
  const form = useSentForm({
    initial: { name: '', domain: domains[0] ?? '', roles: ['Member'], teams: [] as string[] },
    send: async ({ name, domain, roles }) => {
      const email = toAddress(name, domain);
      const answer = await call('createEntity', {
        params: { blueprint_identifier: '_user' },
        query: { upsert: false },
        body: {
          identifier: email,
          title: name.trim(),
          properties: {
            port_type: t('Service Account'),
            status: t('Active'),
            port_role: roles.includes('Admin') ? 'Admin' : 'Member',
          },
        },
      });
      const credentials = answer.additionalData?.['credentials'] as Credentials | undefined;
      if (!credentials) throw new Error(t('{email} was there before; make new credentials for it', { email }));
      return credentials;
    },
    staleAfter: ['listUsers'],
    onSaved: (credentials, { name, domain, roles, teams }) => {
      setIssued(credentials);
      const rest = roles.filter((role) => role !== 'Admin' && role !== 'Member');
      if (rest.length === 0 && teams.length === 0) return;
      patch.mutate({ params: { user_email: toAddress(name, domain) }, body: { roles, teams } });
    },
  });
  return (
    <Dialog
      opened
      onClose={onClose}
      size="lg"
      title={
        issued
          ? t('Credentials of {name}', { name: toAddress(form.values.name, form.values.domain) })
          : t('New service account')
      }
      // the credentials are shown only once: a stray click or key must not close the dialog
      closeOnClickOutside={!issued}
      closeOnEscape={!issued}
    >
      {issued ? (
        <Stack>
          {patch.error && (
            <Alert color="red" role="alert" title={t('The account is there, and its roles and teams were not set')}>
              {patch.error.message}
            </Alert>
          )}
          <IssuedCredentials {...issued} onDone={onClose} />
        </Stack>
      ) : (
        <FormBody
          form={form}
          verb={t('Make the account')}
          refused={t('The account was not made')}
          isReady={/^[^\s@]+$/.test(form.values.name.trim())}
          onClose={onClose}
        >
          <Group align="flex-end" gap={4} grow>
            <TextInput
              label={t('Name')}
              description={t('What runs with it, such as deploy-bot')}
              required
              maxLength={200}
              {...form.field('name')}
            />
            <Select
              label={t('Domain')}
              description={t('No mail goes there')}
              data={domains.map((value) => ({ value, label: `@${value}` }))}
              allowDeselect={false}
              {...form.field('domain')}
            />
          </Group>
          <RolesAndTeams roles={form.field('roles')} teams={form.field('teams')} />
        </FormBody>
      )}
    </Dialog>
  );
}

function toAddress(name: string, domain: string): string {
  return `${name.trim()}@${domain}`;
}
