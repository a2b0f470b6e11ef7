import { Button, Group, Stack, Text, Title } from '@mantine/core';
import { useState } from 'react';
import type { AnswerOf } from '../../api/api.ts';
import { useChange, useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { ErrorState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { GrantLists } from '../grant-lists.tsx';

type Rights = AnswerOf<'getPagePermissions'>['permissions'];

const verbs = [
  { verb: 'read', title: t('See it') },
  { verb: 'update', title: t('Change it') },
] as const;

/** Who may see and change a page. Separate from the draft: permissions apply as soon as they are saved. */
export function PageRights({ page }: { page: string }) {
  const read = useRead('getPagePermissions', { params: { page_identifier: page } });
  return (
    <Reading of={read}>
      {({ permissions }) => <Editor key={JSON.stringify(permissions)} page={page} saved={permissions} />}
    </Reading>
  );
}

function Editor({ page, saved }: { page: string; saved: Rights }) {
  const [rights, setRights] = useState(saved);
  const patch = useChange('patchPagePermissions', { staleAfter: ['getPagePermissions'] });
  const toast = useToast();
  const mayGrant = isAdmin(useSession());
  const isDirty = JSON.stringify(rights) !== JSON.stringify(saved);
  const save = async () => {
    try {
      await patch.mutateAsync({ params: { page_identifier: page }, body: rights });
      toast(t('The rights of the page were saved'));
    } catch {
      // the error is shown above the lists
    }
  };
  return (
    <Stack gap="md">
      {patch.error && <ErrorState error={patch.error} what={t('The rights were not saved')} />}
      <Text size="sm" c="dimmed">
        {mayGrant
          ? t(
              'One of the names is enough. Administrators see and change every page. Rights are saved here, apart from the page.',
            )
          : t('Only administrators change who may see and change a page.')}
      </Text>
      {verbs.map(({ verb, title }) => (
        <section key={verb} className={surfaces.block} aria-label={title}>
          <Title order={2} size="h3" mb="sm">
            {title}
          </Title>
          <fieldset disabled={!mayGrant} style={{ border: 0, margin: 0, padding: 0 }}>
            <Stack gap="sm">
              <GrantLists grant={rights[verb]} onChange={(grant) => setRights({ ...rights, [verb]: grant })} />
            </Stack>
          </fieldset>
        </section>
      ))}
      {mayGrant && (
        <Group>
          <Button variant="default" disabled={!isDirty} loading={patch.isPending} onClick={() => void save()}>
            {t('Save the rights')}
          </Button>
        </Group>
      )}
    </Stack>
  );
}
