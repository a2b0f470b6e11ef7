import { Alert, Button, Group, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { DiffView } from '../diff-view.tsx';
import { RelativeTime } from '../relative-time.tsx';
import classes from './definition.module.css';

/** Somebody else saved first: what they changed beside what you changed, and what to do about it. */
export function ConflictView({
  base,
  mine,
  theirs,
  saved,
  onKeepMine,
  onTakeTheirs,
}: {
  base: unknown;
  mine: unknown;
  theirs: unknown;
  /** Who saved theirs, and when, where that is known. */
  saved?: { readonly updatedBy: string; readonly updatedAt: string } | undefined;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  return (
    <Alert color="yellow" title="Somebody saved it while you edited it" role="alert" mb="md">
      <div className={classes.versions}>
        <Version
          title={
            saved ? (
              <>
                Theirs, by {saved.updatedBy} <RelativeTime at={saved.updatedAt} />
              </>
            ) : (
              'Theirs'
            )
          }
          before={base}
          after={theirs}
        />
        <Version title="Yours, not saved" before={base} after={mine} />
      </div>
      <Text size="sm" mt="sm">
        Keep yours to go on editing; saving then replaces theirs. Take theirs to begin anew from what they saved.
      </Text>
      <Group mt="sm" gap="xs">
        <Button size="xs" onClick={onKeepMine}>
          Keep mine
        </Button>
        <Button size="xs" variant="default" onClick={onTakeTheirs}>
          Take theirs
        </Button>
      </Group>
    </Alert>
  );
}

function Version({ title, before, after }: { title: ReactNode; before: unknown; after: unknown }) {
  const isSame = JSON.stringify(before) === JSON.stringify(after);
  return (
    <div>
      <Text fw={550} size="sm">
        {title}
      </Text>
      {isSame ? <Text size="sm">No change that shows</Text> : <DiffView before={before} after={after} />}
    </div>
  );
}
