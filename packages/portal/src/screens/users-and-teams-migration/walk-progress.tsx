import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import type { Walk } from './one-by-one.ts';

/** The progress of a batch with a stop button, and its result at the end. */
export function WalkProgress({ walk, verb, onStop }: { walk: Walk; verb: string; onStop: () => void }) {
  const { total, done, refused, isOver } = walk;
  const left = total - done - refused.length;
  if (!isOver) {
    return (
      <Stack gap={4} maw={520}>
        <Group justify="space-between">
          <Text size="sm">
            {(done + refused.length).toLocaleString()} of {total.toLocaleString()}. Leaving this page stops it.
          </Text>
          <Button variant="default" size="compact-sm" onClick={onStop}>
            Stop
          </Button>
        </Group>
        <Progress value={((done + refused.length) / total) * 100} aria-label={`${verb} suggestions`} />
      </Stack>
    );
  }
  return (
    <Alert color={refused.length > 0 ? 'yellow' : 'indigo'} role="status" title={`${done.toLocaleString()} ${verb}`}>
      {left > 0 && <Text size="sm">{left.toLocaleString()} were not come to.</Text>}
      {refused.length > 0 ? (
        <>
          <Text size="sm">{refused.length.toLocaleString()} refused, and left as they are:</Text>
          <Some of={refused} what="refusals" pageSize={10}>
            {(shown) => (
              <ul className={classes.plain}>
                {shown.map(({ name, message }) => (
                  <li key={name}>
                    {name}: {message}
                  </li>
                ))}
              </ul>
            )}
          </Some>
        </>
      ) : (
        <Text size="sm">Nothing was refused.</Text>
      )}
    </Alert>
  );
}
