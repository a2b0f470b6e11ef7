import { Alert, Button, Group, Stack, Text, Title } from '@mantine/core';
import type { Source } from '@portolan/contract/sources';
import { type ReactNode, useState } from 'react';
import { call } from '../../api/api.ts';
import { useRefresh } from '../../api/query.ts';
import { useAttempt } from '../../kit/attempt.ts';
import { useConfirm } from '../../kit/confirm.tsx';
import { t } from '../../kit/translate.ts';
import { MissingEntities } from '../../parts/missing-entities.tsx';

/** The source that an upload is kept as: what it lacks now, and the ways back and on. `children` tell what was written. */
export function KeptSource({
  source,
  importId,
  again,
  onNewer,
  onAgain,
  children,
}: {
  source: Source;
  importId: string;
  /** What the button for another upload says. */
  again: string;
  /** Uploads a newer file of the same source. */
  onNewer: () => void;
  onAgain: () => void;
  children: ReactNode;
}) {
  const [undone, setUndone] = useState<string>();
  const [isKept, setKept] = useState(true);
  const attempt = useAttempt();
  const confirm = useConfirm();
  const refresh = useRefresh();
  const undo = async () => {
    const isSure = await confirm({
      title: t('Undo this import'),
      consequence: t('Created entities are deleted and changed ones restored. Later changes by others are kept.'),
      verb: t('Undo the import'),
      isDangerous: true,
    });
    if (!isSure) return;
    await attempt(async () => {
      const { deleted, restored, left } = await call('undoImport', { params: { import_id: importId } });
      setUndone(
        t('{deleted} deleted, {restored} put back{word}.', {
          deleted,
          restored,
          word: left > 0 ? t(', {left} left as somebody changed them', { left }) : '',
        }),
      );
      await refresh(['searchBlueprintEntities', 'listMissing']);
    });
  };
  const forget = async () => {
    const isSure = await confirm({
      title: t('Forget {title}', { title: source.title }),
      consequence: t(
        'The entities stay. The import can no longer be undone, and a newer file is not compared with this one.',
      ),
      verb: t('Forget the source'),
      isDangerous: true,
    });
    if (!isSure) return;
    const isGone = await attempt(
      () => call('deleteSource', { params: { source_identifier: source.identifier } }),
      t('The source was forgotten'),
    );
    if (isGone) setKept(false);
    await refresh(['listSources']);
  };
  if (undone !== undefined) {
    return (
      <Stack align="flex-start">
        <Alert color="green" title={t('The import was undone')} role="status">
          {undone}
        </Alert>
        <Button variant="default" onClick={onAgain}>
          {again}
        </Button>
      </Stack>
    );
  }
  return (
    <Stack gap="lg">
      {children}
      {isKept && <MissingEntities source={source} />}
      {isKept && (
        <section aria-labelledby="kept">
          <Title order={2} size="h3" id="kept">
            {t('Kept as a source')}
          </Title>
          <Text size="sm" mb="xs">
            {t(
              'Upload a newer file at any time, and only what differs is written. This import can be undone for seven days.',
            )}
          </Text>
          <Group>
            <Button variant="default" onClick={onNewer}>
              {t('Upload a newer file')}
            </Button>
            <Button color="red" variant="light" onClick={() => void undo()}>
              {t('Undo this import')}
            </Button>
            <Button variant="default" onClick={() => void forget()}>
              {t('Forget this source')}
            </Button>
          </Group>
        </section>
      )}
      <Group>
        <Button variant="default" onClick={onAgain}>
          {again}
        </Button>
      </Group>
    </Stack>
  );
}
