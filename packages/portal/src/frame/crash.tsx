import { Button, Stack, Text, Title } from '@mantine/core';
import { t } from '../kit/translate.ts';

const staleCode = /dynamically imported module|module script failed|preload CSS/i;

/** Replaces a screen that failed to render; the frame around it keeps working. */
export function Crash({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  const message = error instanceof Error ? error.message : String(error);
  const isStale = staleCode.test(message);
  return (
    <Stack align="flex-start" p="lg" role="alert" maw={640}>
      <Title order={1}>{isStale ? t('The portal was updated') : t('This screen failed')}</Title>
      <Text>
        {isStale
          ? t('This page was loaded before the update. Load it again to go on.')
          : t('Nothing was changed by it. Try again; if it fails once more, tell an administrator what stands below.')}
      </Text>
      {!isStale && <code>{message}</code>}
      <Button onClick={isStale ? () => location.reload() : onRetry}>
        {isStale ? t('Load again') : t('Try again')}
      </Button>
    </Stack>
  );
}
