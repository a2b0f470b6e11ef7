import { Button, Code, Group, Stack, Text } from '@mantine/core';
import { CopyValue } from '../../kit/copy-value.tsx';
import { t } from '../../kit/translate.ts';

/** The new credentials of a service account, shown only once. */
export function IssuedCredentials({
  clientId,
  clientSecret,
  onDone,
}: {
  clientId: string;
  clientSecret: string;
  onDone: () => void;
}) {
  return (
    <Stack>
      <Text>{t('They are shown once. Store them where the account runs.')}</Text>
      {(
        [
          [t('Client id'), clientId],
          [t('Client secret'), clientSecret],
        ] as const
      ).map(([name, value]) => (
        <div key={name}>
          <Text size="sm" c="dimmed">
            {name}
          </Text>
          <Group gap={4} wrap="nowrap">
            <Code style={{ overflowWrap: 'anywhere', minWidth: 0 }}>{value}</Code>
            <CopyValue value={value} what={name.toLowerCase()} />
          </Group>
        </div>
      ))}
      <Group justify="flex-end">
        <Button onClick={onDone}>{t('I stored them')}</Button>
      </Group>
    </Stack>
  );
}
