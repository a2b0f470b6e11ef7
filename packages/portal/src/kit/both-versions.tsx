import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { RelativeTime } from './relative-time.tsx';
import { Sentence } from './sentence.tsx';
import classes from './surfaces.module.css';
import { t } from './translate.ts';

/** After a conflicting save: the other user's changes beside yours, and the ways to resolve the conflict. */
export function BothVersions({
  what = 'it',
  theirs,
  mine,
  saved,
  onKeepMine,
  onTakeTheirs,
}: {
  /** The edited thing, as a sentence names it. */
  what?: string;
  theirs: ReactNode;
  mine: ReactNode;
  /** Who saved the other version, and when, if known. */
  saved?: { readonly updatedBy: string; readonly updatedAt: string } | undefined;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  return (
    <Alert color="yellow" title={t('Somebody saved {what} while you edited it', { what })} role="alert" mb="md">
      <div className={classes.versions}>
        <div>
          <Text fw={550} size="sm">
            {saved ? (
              <Sentence
                text="Theirs, by {updatedBy} <time/>"
                values={{ updatedBy: saved.updatedBy }}
                parts={{ time: <RelativeTime at={saved.updatedAt} /> }}
              />
            ) : (
              t('Theirs')
            )}
          </Text>
          {theirs}
        </div>
        <div>
          <Text fw={550} size="sm">
            {t('Yours, not saved')}
          </Text>
          {mine}
        </div>
      </div>
      <Text size="sm" mt="sm">
        {t(
          'Keep yours to go on editing; saving then replaces theirs. Take theirs to start again from the saved version.',
        )}
      </Text>
      <Group mt="sm" gap="xs">
        <Button size="xs" onClick={onKeepMine}>
          {t('Keep mine')}
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          {t('Take theirs')}
        </Button>
      </Group>
    </Alert>
  );
}
