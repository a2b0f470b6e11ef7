import { Text, Title } from '@mantine/core';
import type { AnswerOf } from '../../api/api.ts';
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
        Expressions that would give something else ({places.length.toLocaleString()})
      </Title>
      {places.length === 0 ? (
        <Text c="dimmed">
          {tried === 0 ? 'None could be tried: no entity or person fits.' : 'None of those that were tried.'}
        </Text>
      ) : (
        <Some of={places} what="places">
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
          {inWords(resource.kind)} <code>{resource.identifier}</code> · <code>{pointer}</code> · differs on{' '}
          {trials.length.toLocaleString()}
          {!hasSuggestion && ' · nothing is suggested'}
        </span>
      </summary>
      {/* focusable, so that the keyboard can scroll it */}
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable */}
      <section className={classes.long} tabIndex={0} aria-label={`Values of ${resource.identifier} ${pointer}`}>
        <table className={classes.trials}>
          <thead>
            <tr>
              <th scope="col">On</th>
              <th scope="col">Now</th>
              <th scope="col">Afterwards, as it is</th>
              {hasSuggestion && <th scope="col">As it is suggested</th>}
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
