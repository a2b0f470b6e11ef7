import { Alert, Button, Group, Progress, Stack, Text } from '@mantine/core';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
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
            {t('{value} of {total}. Leaving this page stops it.', {
              value: (done + refused.length).toLocaleString(locale),
              total: total.toLocaleString(locale),
            })}
          </Text>
          <Button variant="default" size="compact-sm" onClick={onStop}>
            {t('Stop')}
          </Button>
        </Group>
        <Progress value={((done + refused.length) / total) * 100} aria-label={t('{verb} suggestions', { verb })} />
      </Stack>
    );
  }
  return (
    <Alert
      color={refused.length > 0 ? 'yellow' : 'indigo'}
      role="status"
      title={`${done.toLocaleString(locale)} ${verb}`}
    >
      {left > 0 && <Text size="sm">{t('{left} were not come to.', { left: left.toLocaleString(locale) })}</Text>}
      {refused.length > 0 ? (
        <>
          <Text size="sm">
            {t('{count} refused, and left as they are:', { count: refused.length.toLocaleString(locale) })}
          </Text>
          <Some of={refused} what={t('refusals')} pageSize={10}>
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
        <Text size="sm">{t('Nothing was refused.')}</Text>
      )}
    </Alert>
  );
}
