import { Button, Group, Stack, Text } from '@mantine/core';
import type { DemoOrganization } from '@portolan/contract/demo-organization';
import { useQueryClient } from '@tanstack/react-query';
import { useChange, useRead, useRefresh } from '../../api/query.ts';
import { sessionKey } from '../../api/session.ts';
import { useEnter, useRemoveDemo } from '../../frame/demo-organization.ts';
import { Block } from '../../kit/block.tsx';
import { ErrorState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';

/** The demo beside the own organization: added with one click, entered, and removed. */
export function DemoBlock() {
  const read = useRead('getDemoOrganization');
  if (read.data && !read.data.isOffered && !read.data.demo) return null;
  return (
    <Block title={t('Look at an example first')}>
      <Reading of={read}>{({ demo }) => (demo && !demo.isBeingRemoved ? <Present demo={demo} /> : <Absent />)}</Reading>
    </Block>
  );
}

function Present({ demo }: { demo: DemoOrganization }) {
  const enter = useEnter();
  const remove = useRemoveDemo();
  const refresh = useRefresh();
  const queries = useQueryClient();
  const ask = async () => {
    if (!(await remove(demo.name))) return;
    await Promise.all([refresh(['getDemoOrganization']), queries.invalidateQueries({ queryKey: sessionKey })]);
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">{t('{name} is an organization of its own, with invented data.', { name: demo.name })}</Text>
      <Group gap="xs">
        <Button size="xs" onClick={() => void enter(demo.id)}>
          {t('Open the demo')}
        </Button>
        <Button size="xs" variant="default" onClick={() => void ask()}>
          {t('Remove the demo')}
        </Button>
      </Group>
    </Stack>
  );
}

function Absent() {
  const queries = useQueryClient();
  const enter = useEnter();
  const add = useChange('createDemoOrganization', { staleAfter: ['getDemoOrganization'] });
  const addAndEnter = async () => {
    const { demo } = await add.mutateAsync({});
    await queries.invalidateQueries({ queryKey: sessionKey });
    await enter(demo.id);
  };
  return (
    <Stack gap="xs" align="flex-start">
      <Text size="sm">
        {t(
          'A whole catalog of an invented company, as a second organization beside yours. You switch between both and remove it when you have seen enough.',
        )}
      </Text>
      <Button size="xs" variant="default" loading={add.isPending} onClick={() => void addAndEnter().catch(() => {})}>
        {t('Add the demo')}
      </Button>
      {add.error && <ErrorState error={add.error} what={t('The demo was not added')} />}
    </Stack>
  );
}
