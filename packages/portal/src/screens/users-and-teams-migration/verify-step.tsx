import { Button, Group, Progress, Stack, Text } from '@mantine/core';
import { RotateCw } from 'lucide-react';
import { useRead } from '../../api/query.ts';
import { useSession } from '../../api/session.ts';
import { locale } from '../../kit/language.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { ApplyAll, ApplyItem, type SettledItem } from './applications.tsx';
import { readItem } from './manual-item.ts';
import { ManualItems } from './manual-items.tsx';
import classes from './migration.module.css';

/** The current state of the manual items, checked against the catalog as it is now. */
export function VerifyStep() {
  const verified = useRead('verifyUsersAndTeams');
  const { organization } = useSession();
  return (
    <Reading of={verified} waitsFor={t('Still reading everything that names teams')}>
      {({ verification }) => {
        const items = verification.items.flatMap(({ item, state, current, applied, accepted }): SettledItem[] => {
          const found = readItem(item);
          const mark = applied ? { mark: t('Applied') } : {};
          return found ? [{ item: found, state, current, applied, accepted, ...mark }] : [];
        });
        if (items.length === 0)
          return <EmptyState title={t('Nothing was left to people')}>{t('Nothing has to be looked at.')}</EmptyState>;
        const count = (state: string) => items.filter((each) => each.state === state).length;
        const settled = items.length - count('broken');
        return (
          <Stack gap="md">
            <Group justify="space-between">
              <dl className={classes.figures}>
                <Figure count={count('done')} text={t('done')} />
                <Figure count={count('broken')} text={t('still there')} />
                <Figure count={count('mentions')} text={t('only mention teams (harmless)')} />
              </dl>
              <Button
                variant="default"
                size="xs"
                leftSection={<RotateCw size={14} />}
                loading={verified.isFetching}
                onClick={() => void verified.refetch()}
              >
                {t('Look again')}
              </Button>
            </Group>
            <Progress
              value={(settled / items.length) * 100}
              aria-label={t('{settled} of {count} settled', { settled, count: items.length })}
            />
            {count('broken') === 0 && (
              <Text role="status">{t('Nothing is left that breaks. The migration is finished.')}</Text>
            )}
            <ApplyAll items={items} organization={organization.name} />
            <ManualItems items={items}>{(shown) => <ApplyItem shown={shown} />}</ManualItems>
          </Stack>
        );
      }}
    </Reading>
  );
}

function Figure({ count, text }: { count: number; text: string }) {
  return (
    <div>
      <dt>{text}</dt>
      <dd>{count.toLocaleString(locale)}</dd>
    </div>
  );
}
