import { Alert, Button, Group, Text } from '@mantine/core';
import { RelativeTime } from '../../parts/relative-time.tsx';
import { beginDraft, changesOf, type Draft, type Page } from './page-draft.ts';
import classes from './pages.module.css';
import { nameOfWidget } from './widget-kinds.ts';

/** Somebody else saved the page first: what they changed beside what you changed, and what to do about it. */
export function ConflictView({
  base,
  mine,
  theirs,
  onKeepMine,
  onTakeTheirs,
}: {
  base: Draft;
  mine: Draft;
  theirs: Page;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}) {
  return (
    <Alert color="yellow" title="Somebody saved this page while you edited it" role="alert" mb="md">
      <div className={classes.versions}>
        <Version
          title={
            <>
              Theirs, by {theirs.updatedBy} <RelativeTime at={theirs.updatedAt} />
            </>
          }
          changes={changesOf(base, beginDraft(theirs), nameOfWidget)}
        />
        <Version title="Yours, not saved" changes={changesOf(base, mine, nameOfWidget)} />
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

function Version({ title, changes }: { title: React.ReactNode; changes: readonly string[] }) {
  return (
    <div>
      <Text fw={550} size="sm">
        {title}
      </Text>
      <ul>
        {changes.length === 0 && <li>No change that shows</li>}
        {changes.slice(0, 20).map((each) => (
          <li key={each}>{each}</li>
        ))}
        {changes.length > 20 && <li>and {changes.length - 20} more</li>}
      </ul>
    </div>
  );
}
