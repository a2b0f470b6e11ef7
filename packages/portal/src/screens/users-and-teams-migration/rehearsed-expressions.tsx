import { Text, Title } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
import { locale } from '../../kit/language.ts';
import { Sentence } from '../../kit/sentence.tsx';
import { t } from '../../kit/translate.ts';
import { written } from './before-after.tsx';
import { inWords, isSame } from './manual-item.ts';
import classes from './migration.module.css';
import { Some } from './more.tsx';

type Expression = AnswerOf<'rehearseUsersAndTeams'>['rehearsal']['expressions'][number];

/** Expressions whose result changes unless they are rewritten, by place. */
export function RehearsedExpressions({ expressions, tried }: { expressions: readonly Expression[]; tried: number }) {
  const places = byItem(expressions);
  return (
    <section aria-labelledby="expressions">
      <Title order={3} fz="md" id="expressions">
        {t('Expressions that would give something else ({count})', { count: places.length.toLocaleString(locale) })}
      </Title>
      {places.length === 0 ? (
        <Text c="dimmed">
          {tried === 0 ? t('None could be tried: no entity or person fits.') : t('None of those that were tried.')}
        </Text>
      ) : (
        <Some of={places} what={t('places')}>
          {(shown) => (
            <ul className={classes.list}>
              {shown.map((place) => (
                <li key={place.key}>
                  <Place trials={place.trials} />
                </li>
              ))}
            </ul>
          )}
        </Some>
      )}
    </section>
  );
}

function Place({ trials }: { trials: readonly Expression[] }) {
  const [first] = trials;
  if (!first) return null;
  const { resource, pointer } = first;
  const hasSuggestion = trials.some((each) => each.suggested !== undefined);
  return (
    <details className={classes.details}>
      <summary>
        <span className={classes.name} dir="auto">
          {resource.title || resource.identifier}
        </span>{' '}
        <span className={classes.note}>
          <Sentence
            text="{kind} <code/> · <code2/> · differs on {count}"
            values={{ kind: inWords(resource.kind), count: trials.length.toLocaleString(locale) }}
            parts={{ code: <code>{resource.identifier}</code>, code2: <code>{pointer}</code> }}
          />
          {!hasSuggestion && ` ${t('· nothing is suggested')}`}
        </span>
      </summary>
      <section
        className={classes.long}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keyboard reaches what scrolls
        tabIndex={0}
        aria-label={t('Values of {identifier} {pointer}', { identifier: resource.identifier, pointer })}
      >
        <table className={classes.trials}>
          <thead>
            <tr>
              <th scope="col">{t('On')}</th>
              <th scope="col">{t('Now')}</th>
              <th scope="col">{t('Afterwards, as it is')}</th>
              {hasSuggestion && <th scope="col">{t('As it is suggested')}</th>}
            </tr>
          </thead>
          <tbody>
            {trials.map(({ of, before, after, suggested }) => (
              <tr key={of}>
                <th scope="row" dir="auto">
                  {of}
                </th>
                <td>
                  <code>{written(before, 'null')}</code>
                </td>
                <td>
                  <code className={classes.before}>{written(after, 'null')}</code>
                </td>
                {hasSuggestion && (
                  <td>
                    <code className={isSame(suggested, before) ? classes.after : undefined}>
                      {suggested === undefined ? '–' : written(suggested, 'null')}
                    </code>
                  </td>
                )}
              </tr>
            ))}
          </tbody>
        </table>
      </section>
    </details>
  );
}

function byItem(expressions: readonly Expression[]) {
  const groups = new Map<string, { key: string; trials: Expression[] }>();
  for (const each of expressions) {
    const group = groups.get(each.itemId) ?? { key: each.itemId, trials: [] };
    group.trials.push(each);
    groups.set(each.itemId, group);
  }
  return [...groups.values()];
}
