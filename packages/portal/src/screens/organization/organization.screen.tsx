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
import { type ReactNode, useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { CopyValue } from '../../parts/copy-value.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { ErrorState, Reading } from '../../parts/states.tsx';
import surfaces from '../../parts/surfaces.module.css';
import { useToast } from '../../parts/toasts.tsx';

type Organization = AnswerOf<'getOwnOrganization'>['organization'];

/** What holds for everybody: name, announcement, and when sessions end. */
export function Screen() {
  const reading = useRead('getOwnOrganization');
  return (
    <Stack gap="lg" maw={720}>
      <PageHeader title="Organization" description="What holds for everybody in it." />
      <Reading of={reading} skeleton={<Skeleton height={320} />}>
        {({ organization }) => <Settings key={organization.updatedAt} organization={organization} />}
      </Reading>
    </Stack>
  );
}

function Settings({ organization }: { organization: Organization }) {
  const { announcement, settings } = organization;
  const [name, setName] = useState(organization.name);
  const [portalTitle, setPortalTitle] = useState(String(settings['portalTitle'] ?? ''));
  const [isShown, setShown] = useState(announcement?.enabled ?? false);
  const [content, setContent] = useState(announcement?.content ?? '');
  const [link, setLink] = useState(announcement?.link ?? '');
  const [color, setColor] = useState(announcement?.color === 'red' ? 'red' : 'blue');
  const [minutes, setMinutes] = useState<number | string>(organization.inactivityTimeout ?? '');
  const [ownRuns, setOwnRuns] = useState(settings['requestersMayApprove'] === true);
  const patch = useChange('patchOwnOrganization', { staleAfter: ['getOwnOrganization'] });
  const toast = useToast();
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        patch.mutate(
          {
            body: {
              name: name.trim(),
              settings: { portalTitle: portalTitle.trim() || null, requestersMayApprove: ownRuns || null },
              // an announcement without a text cannot be stored
              ...(content.trim() === ''
                ? announcement
                  ? { announcement: { enabled: false } }
                  : {}
                : {
                    announcement: {
                      enabled: isShown,
                      content: content.trim(),
                      link: link.trim() || null,
                      color: color === 'red' ? 'red' : 'blue',
                    },
                  }),
              inactivityTimeout: minutes === '' ? null : Number(minutes),
            },
          },
          { onSuccess: () => toast('The organization was saved') },
        );
      }}
    >
      <Stack gap="lg">
        {patch.error && <ErrorState error={patch.error} what="It was not saved" />}
        <Part id="naming" title="Name">
          <TextInput
            label="Name"
            maxLength={100}
            required
            withAsterisk={false}
            value={name}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
          />
          <TextInput
            label="Title of the portal"
            maxLength={30}
            value={portalTitle}
            onChange={({ currentTarget }) => setPortalTitle(currentTarget.value)}
          />
          <Group gap={4}>
            <Text size="sm" c="dimmed">
              Id
            </Text>
            <code>{organization.id}</code>
            <CopyValue value={organization.id} what="the id of the organization" />
          </Group>
        </Part>
        <Part id="announcement" title="Announcement">
          <Checkbox
            label="Show it to everybody"
            checked={isShown}
            disabled={content.trim() === ''}
            description={content.trim() === '' ? 'It needs a text first' : undefined}
            onChange={({ currentTarget }) => setShown(currentTarget.checked)}
          />
          <Textarea
            label="Text"
            maxLength={300}
            autosize
            minRows={2}
            value={content}
            onChange={({ currentTarget }) => setContent(currentTarget.value)}
          />
          <TextInput
            label="Link"
            description="Begins with https://, mailto: or /"
            maxLength={300}
            value={link}
            onChange={({ currentTarget }) => setLink(currentTarget.value)}
          />
          <Select
            label="Colour"
            data={[
              { value: 'blue', label: 'Blue: to know' },
              { value: 'red', label: 'Red: to act on' },
            ]}
            value={color}
            allowDeselect={false}
            onChange={(value) => setColor(value ?? 'blue')}
          />
        </Part>
        <Part id="approvals" title="Approvals">
          <Checkbox
            label="People may approve runs that they asked for themselves"
            description="Off: somebody else always approves"
            checked={ownRuns}
            onChange={({ currentTarget }) => setOwnRuns(currentTarget.checked)}
          />
        </Part>
        <Part id="sessions" title="Sessions">
          <NumberInput
            label="End after so many minutes without use"
            description="Empty: as the operator set it"
            min={1}
            max={525_600}
            hideControls
            value={minutes}
            onChange={setMinutes}
          />
        </Part>
        <Group>
          <Button type="submit" loading={patch.isPending} disabled={name.trim() === ''}>
            Save
          </Button>
        </Group>
      </Stack>
    </form>
  );
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
