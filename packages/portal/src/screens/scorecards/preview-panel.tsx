import { Loader, Text, Title } from '@mantine/core';
import type { ScorecardPreview } from '@portolan/contract/scorecards';
import { locale } from '../../kit/language.ts';
import { ErrorState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import type { Draft } from './scorecard-draft.ts';
import classes from './scorecards.module.css';
import { changeSentence, type usePreview } from './use-preview.ts';

/** What saving would change, on real entities. */
export function PreviewPanel({
  blueprint,
  draft,
  preview: { read, isBehind },
}: {
  blueprint: string;
  draft: Draft;
  preview: ReturnType<typeof usePreview>;
}) {
  return (
    <section className={`${surfaces.block} ${classes.preview}`} aria-label={t('If saved now')} aria-busy={isBehind}>
      <div className={classes.previewHead}>
        <Title order={2} size="h3">
          {t('If saved now')}
        </Title>
        {isBehind && <Loader size={14} aria-label={t('Counting')} />}
      </div>
      {blueprint === '' ? (
        <Text c="dimmed">{t('Choose a blueprint to see its entities here.')}</Text>
      ) : read.error && !isBehind ? (
        <ErrorState
          error={read.error}
          what={t('This scorecard cannot be previewed')}
          onRetry={() => void read.refetch()}
        />
      ) : (
        <Reading of={read} waitsFor={t('Still counting the entities')}>
          {(found) => <Found blueprint={blueprint} draft={draft} found={found} />}
        </Reading>
      )}
    </section>
  );
}

function Found({ blueprint, draft, found }: { blueprint: string; draft: Draft; found: ScorecardPreview }) {
  const measured = found.levels.reduce((sum, { after }) => sum + after, 0);
  const moved = found.changed.filter(({ from }) => from !== null);
  return (
    <>
      <Text size="sm" c="dimmed">
        {plural(found.total, 'Measures {measured} of {count} entity.', 'Measures {measured} of {count} entities.', {
          measured: measured.toLocaleString(locale),
        })}
      </Text>
      <LevelTable draft={draft} found={found} />
      <Text fw={600} mt="sm" role="status">
        {changeSentence(found)}
      </Text>
      {moved.length > 0 && <ChangeList blueprint={blueprint} changed={moved} count={found.changedCount} />}
      <RuleResults blueprint={blueprint} draft={draft} found={found} />
    </>
  );
}

/** How many are at each level now and then, highest first. */
export function LevelTable({ draft, found }: { draft: Pick<Draft, 'levels'>; found: ScorecardPreview }) {
  const colourOf = (title: string) => draft.levels.find((level) => level.title === title)?.color;
  return (
    <table className={classes.levelTable}>
      <thead>
        <tr>
          <th scope="col">{t('Level')}</th>
          <th scope="col">{t('Now')}</th>
          <th scope="col">{t('Then')}</th>
          <th scope="col">
            <span className="visually-hidden">{t('Change')}</span>
          </th>
        </tr>
      </thead>
      <tbody>
        {[...found.levels].reverse().map(({ title, before, after }) => (
          <tr key={title}>
            <th scope="row">
              <ColourBadge colour={colourOf(title)}>{title}</ColourBadge>
            </th>
            <td>{before.toLocaleString(locale)}</td>
            <td>{after.toLocaleString(locale)}</td>
            <td>
              {after === before
                ? ''
                : `${after > before ? '▲' : '▼'} ${Math.abs(after - before).toLocaleString(locale)}`}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

const listedMax = 10;

function ChangeList({
  blueprint,
  changed,
  count,
}: {
  blueprint: string;
  changed: ScorecardPreview['changed'];
  count: number;
}) {
  const more = count - Math.min(listedMax, changed.length);
  return (
    <ul className={classes.changes} aria-label={t('Entities that change their level')}>
      {changed.slice(0, listedMax).map(({ identifier, title, from, to }) => (
        <li key={identifier}>
          <EntityAnchor blueprint={blueprint} identifier={identifier} title={title} />
          <span className={classes.fromTo}>
            {from} → {to ?? t('not measured')}
          </span>
        </li>
      ))}
      {more > 0 && <li className={classes.none}>{t('and {more} more', { more: more.toLocaleString(locale) })}</li>}
    </ul>
  );
}

function RuleResults({ blueprint, draft, found }: { blueprint: string; draft: Draft; found: ScorecardPreview }) {
  const failing = found.rules.filter(({ failed }) => failed > 0);
  const titleOf = (identifier: string) =>
    draft.rules.find((rule) => rule.identifier === identifier)?.title || identifier;
  if (found.rules.length === 0) return null;
  return (
    <>
      <Title order={3} size="h4" mt="md" mb={4}>
        {t('Who fails each rule')}
      </Title>
      {failing.length === 0 ? (
        <Text size="sm">{t('Every measured entity passes every rule.')}</Text>
      ) : (
        <ul className={classes.failing}>
          {failing.map(({ identifier, passed, failed, failing: sample }) => (
            <li key={identifier}>
              <details>
                <summary>
                  <span dir="auto">{titleOf(identifier)}</span>{' '}
                  <b>
                    {t('{failed} of {value} fail', {
                      failed: failed.toLocaleString(locale),
                      value: (passed + failed).toLocaleString(locale),
                    })}
                  </b>
                </summary>
                <ul className={classes.sample}>
                  {sample.map((entity) => (
                    <li key={entity.identifier}>
                      <EntityAnchor blueprint={blueprint} identifier={entity.identifier} title={entity.title} />
                    </li>
                  ))}
                  {failed > sample.length && (
                    <li className={classes.none}>
                      {t('and {value} more', { value: (failed - sample.length).toLocaleString(locale) })}
                    </li>
                  )}
                </ul>
              </details>
            </li>
          ))}
        </ul>
      )}
    </>
  );
}
