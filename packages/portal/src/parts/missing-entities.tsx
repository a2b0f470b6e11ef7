import { Alert, Button, Group, Text } from '@mantine/core';
import type { Source } from '@portolan/contract/sources';
import { useChange, useRead } from '../api/query.ts';
import { useAttempt } from '../kit/attempt.ts';
import { useConfirm } from '../kit/confirm.tsx';
import { locale } from '../kit/language.ts';
import { RelativeTime } from '../kit/relative-time.tsx';
import { Sentence } from '../kit/sentence.tsx';
import { t } from '../kit/translate.ts';
import { Needs } from './access/needs.tsx';
import { sourcePermit } from './access/permit.ts';
import { EntityAnchor } from './entity-anchor.tsx';
import classes from './parts.module.css';

const shownMax = 50;
/** From here on, the number has to be typed. */
const manyMin = 100;
/** Reads that show the entities, or how many of a source there are. */
const staleAfter = ['listMissing', 'listSources', 'getSource', 'searchBlueprintEntities'] as const;

/** What a source brought before and no longer does, for a person to decide. */
export function MissingEntities({ source }: { source: Pick<Source, 'identifier' | 'title' | 'allowed'> }) {
  const params = { source_identifier: source.identifier };
  const permit = sourcePermit(source.allowed.write);
  const to = t('decide on what {title} no longer brings', { title: source.title });
  const { missing = [], total = 0 } = useRead('listMissing', { params }).data ?? {};
  const decide = useChange('decideMissing', { staleAfter: [...staleAfter] });
  const attempt = useAttempt();
  const confirm = useConfirm();
  if (total === 0) return null;
  const end = async (decision: 'delete' | 'keep') => {
    const isSure =
      decision === 'keep' ||
      (await confirm({
        title:
          total === 1
            ? t('Delete what is no longer there')
            : t('Delete {total} entities', { total: total.toLocaleString(locale) }),
        consequence: t(
          'Only what this source created, and nobody else changed or brings, is deleted. The others are kept.',
        ),
        verb: t('Delete'),
        isDangerous: true,
        ...(total > manyMin ? { typed: String(total) } : {}),
      }));
    if (!isSure) return;
    await attempt(
      () => decide.mutateAsync({ params, body: { decision, total } }),
      ({ deleted, left }) =>
        t('{deleted} deleted, {left} kept', {
          deleted: deleted.toLocaleString(locale),
          left: left.toLocaleString(locale),
        }),
    );
  };
  return (
    <Alert
      color="yellow"
      title={
        total === 1
          ? t('1 entity is no longer there')
          : t('{total} entities are no longer there', { total: total.toLocaleString(locale) })
      }
    >
      <Text size="sm">{t('The source brought these before, and not the last time.')}</Text>
      <ul className={classes.missing} aria-label={t('No longer there')}>
        {missing.slice(0, shownMax).map(({ item, blueprint, identifier: entity, goneSince, deletes }) => (
          <li key={`${item} ${blueprint} ${entity}`}>
            <EntityAnchor blueprint={blueprint} identifier={entity} /> <code>{blueprint}</code>
            {goneSince && (
              <>
                {' '}
                <Sentence text="since <time/>" parts={{ time: <RelativeTime at={goneSince} /> }} />
              </>
            )}
            {!deletes && ` ${t('(others write it, too: it is kept)')}`}
          </li>
        ))}
      </ul>
      {total > shownMax && (
        <Text size="sm" mb="xs">
          {t('and {value} more', { value: (total - Math.min(shownMax, missing.length)).toLocaleString(locale) })}
        </Text>
      )}
      <Group gap="xs">
        <Needs permit={permit} to={to}>
          <Button size="xs" variant="default" disabled={decide.isPending} onClick={() => void end('keep')}>
            {t('Keep them')}
          </Button>
        </Needs>
        <Needs permit={permit} to={to}>
          <Button size="xs" color="red" loading={decide.isPending} onClick={() => void end('delete')}>
            {t('Delete them')}
          </Button>
        </Needs>
      </Group>
    </Alert>
  );
}
