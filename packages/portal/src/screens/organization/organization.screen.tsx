import {
  Button,
  Checkbox,
  Group,
  NumberInput,
  Select,
  Skeleton,
  Stack,
  Text,
  Textarea,
  TextInput,
  Title,
} from '@mantine/core';
import type { ReactNode } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { CopyValue } from '../../kit/copy-value.tsx';
import { useContractForm } from '../../kit/form.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { useMay } from '../../parts/access/permit.ts';
import { ReadOnly } from '../../parts/access/read-only.tsx';
import { PageHeader } from '../../parts/page-header.tsx';

type Organization = AnswerOf<'getOwnOrganization'>['organization'];

/** Organization-wide settings: name, announcement, session lifetime. */
export function Screen() {
  const reading = useRead('getOwnOrganization');
  const mayChange = useMay('patchOwnOrganization');
  return (
    <Stack gap="lg" maw={720}>
      <PageHeader title={t('Organization')} description={t('Settings for everyone.')} />
      <Reading of={reading} skeleton={<Skeleton height={320} />}>
        {({ organization }) => (
          <ReadOnly permit={mayChange} to={t('change the organization')}>
            <Settings key={organization.updatedAt} organization={organization} />
          </ReadOnly>
        )}
      </Reading>
    </Stack>
  );
}

function Settings({ organization }: { organization: Organization }) {
  const { announcement, settings } = organization;
  const form = useContractForm('patchOwnOrganization', {
    initial: {
      name: organization.name,
      portalTitle: String(settings['portalTitle'] ?? ''),
      enabled: announcement?.enabled ?? false,
      content: announcement?.content ?? '',
      link: announcement?.link ?? '',
      color: announcement?.color === 'red' ? 'red' : 'blue',
      inactivityTimeout: (organization.inactivityTimeout ?? '') as number | string,
      requestersMayApprove: settings['requestersMayApprove'] === true,
    },
    input: ({ name, portalTitle, requestersMayApprove, inactivityTimeout, ...shown }) => ({
      body: {
        name: name.trim(),
        settings: { portalTitle: portalTitle.trim() || null, requestersMayApprove: requestersMayApprove || null },
        ...announced(shown, announcement !== null && announcement !== undefined),
        inactivityTimeout: inactivityTimeout === '' ? null : Number(inactivityTimeout),
      },
    }),
    staleAfter: ['getOwnOrganization'],
    done: t('The organization was saved'),
  });
  const { name, content } = form.values;
  return (
    <form onSubmit={(event) => void form.submit(event)}>
      <Stack gap="lg">
        {form.error && <ErrorState error={form.error} what={t('The settings were not saved')} />}
        <Part id="naming" title={t('Name')}>
          <TextInput label={t('Name')} maxLength={100} required withAsterisk={false} {...form.field('name')} />
          <TextInput label={t('Title of the portal')} maxLength={30} {...form.field('portalTitle')} />
          <Group gap={4}>
            <Text size="sm" c="dimmed">
              {t('Id')}
            </Text>
            <code>{organization.id}</code>
            <CopyValue value={organization.id} what={t('the id of the organization')} />
          </Group>
        </Part>
        <Part id="announcement" title={t('Announcement')}>
          <Checkbox
            label={t('Show it to everybody')}
            disabled={content.trim() === ''}
            description={content.trim() === '' ? t('Enter a text first') : undefined}
            {...form.box('enabled')}
          />
          <Textarea label={t('Text')} maxLength={300} autosize minRows={2} {...form.field('content')} />
          <TextInput
            label={t('Link')}
            description={t('Begins with https://, mailto: or /')}
            maxLength={300}
            {...form.field('link')}
          />
          <Select
            label={t('Colour')}
            data={[
              { value: 'blue', label: t('Info (blue)') },
              { value: 'red', label: t('Red: to act on') },
            ]}
            allowDeselect={false}
            {...form.field('color')}
          />
        </Part>
        <Part id="approvals" title={t('Approvals')}>
          <Checkbox
            label={t('People can approve their own requests')}
            description={t('Off: somebody else always approves')}
            {...form.box('requestersMayApprove')}
          />
        </Part>
        <Part id="sessions" title={t('Sessions')}>
          <NumberInput
            label={t('Sign out after inactivity (minutes)')}
            description={t('Empty: as the operator set it')}
            min={1}
            max={525_600}
            hideControls
            {...form.field('inactivityTimeout')}
          />
        </Part>
        <Group>
          <Button type="submit" loading={form.isBusy} disabled={name.trim() === ''}>
            {t('Save')}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** The API refuses an announcement without text, so an emptied one is only hidden. */
function announced(
  { enabled, content, link, color }: { enabled: boolean; content: string; link: string; color: string },
  isStored: boolean,
) {
  if (content.trim() === '') return isStored ? { announcement: { enabled: false } } : {};
  const red = color === 'red' ? ('red' as const) : ('blue' as const);
  return { announcement: { enabled, content: content.trim(), link: link.trim() || null, color: red } };
}

function Part({ id, title, children }: { readonly id: string; readonly title: string; readonly children: ReactNode }) {
  return (
    <section className={surfaces.block} aria-labelledby={id}>
      <Stack gap="sm">
        <Title order={2} size="h3" id={id}>
          {title}
        </Title>
        {children}
      </Stack>
    </section>
  );
}
