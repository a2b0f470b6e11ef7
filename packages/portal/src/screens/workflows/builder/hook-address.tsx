import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { useChange, useRead, useRefresh } from '../../../api/query.ts';
import { useConfirm } from '../../../kit/confirm.tsx';
import { CopyValue } from '../../../kit/copy-value.tsx';
import { t } from '../../../kit/translate.ts';
import { NeedsOperation } from '../../../parts/access/needs.tsx';

/** Where others call a webhook trigger: it has an address once the workflow is saved with it. */
export function HookAddress({ workflow, node }: { workflow: string; node: string }) {
  const read = useRead('getTriggerAddress', { params: { identifier: workflow, node } }, { isOn: workflow !== '' });
  const rotate = useChange('rotateTriggerAddress');
  const refresh = useRefresh();
  const confirm = useConfirm();
  const address = read.data?.address;
  if (address === undefined) {
    return <Text size="sm">{t('The trigger gets its address when the workflow is saved.')}</Text>;
  }
  const change = async () => {
    const isSure = await confirm({
      title: t('Another address'),
      consequence: t('Who calls the old address gets no answer any more.'),
      verb: t('Change it'),
      isDangerous: true,
      operation: 'rotateTriggerAddress',
    });
    if (!isSure) return;
    await rotate.mutateAsync({ params: { identifier: workflow, node } });
    await refresh(['getTriggerAddress']);
  };
  return (
    <Stack gap="xs">
      <Text size="sm" fw={500}>
        {t('Address')}
      </Text>
      <Group gap="xs" wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{address}</Code>
        <CopyValue value={address} what={t('the address')} />
      </Group>
      <NeedsOperation operation="rotateTriggerAddress" to={t('change the address')}>
        <Button
          size="xs"
          variant="default"
          w="fit-content"
          leftSection={<RefreshCw size={14} />}
          loading={rotate.isPending}
          onClick={() => void change()}
        >
          {t('Another address')}
        </Button>
      </NeedsOperation>
    </Stack>
  );
}
