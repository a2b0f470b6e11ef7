import { Text, Title } from '@mantine/core';
import { plural, t } from '../../kit/translate.ts';
import { BeforeAfter } from './before-after.tsx';
import { inWords } from './manual-item.ts';
import classes from './migration.module.css';
import { Some } from './more.tsx';
import type { Plan } from './stage.ts';

type Change = Plan['automatic'][number];

const rules: Readonly<Record<string, { readonly title: string; readonly text: string }>> = {
  '0': { title: t('Users and teams become blueprints'), text: t('They get entities and a catalog page each.') },
  '1': {
    title: t('Entities own directly'),
    text: t('Where entities name teams, their blueprint says that it owns directly.'),
  },
  '2': { title: t('Inherited teams stay inherited'), text: t('The same path, written as ownership.') },
  '3': { title: t('Relations that decided go'), text: t('The teams they lead to are the owners.') },
  '4': { title: t('Permissions name identifiers'), text: t('Titles of teams become their identifiers.') },
  implied: { title: t('What follows from it'), text: t('Paths and rights that would be left broken otherwise.') },
};

/** The automatic changes of the migration, by rule and document. */
export function Changes({ plan }: { plan: Plan }) {
  const changes = [...plan.automatic, ...plan.implied];
  const groups = Object.keys(rules)
    .map((rule) => ({ rule, own: changes.filter((change) => String(change.rule) === rule) }))
    .filter(({ own }) => own.length > 0);
  if (groups.length === 0)
    return <Text c="dimmed">{t('No document changes. Entities show identifiers of their teams.')}</Text>;
  return groups.map(({ rule, own }) => (
    <section key={rule} className={classes.group} aria-label={rules[rule]?.title}>
      <Title order={4} fz="md">
        {rules[rule]?.title}
      </Title>
      <Text size="sm" c="dimmed" mb="xs">
        {rules[rule]?.text}
      </Text>
      <Some of={byResource(own)} what={t('documents')}>
        {(shown) => (
          <ul className={classes.list}>
            {shown.map(({ key, resource, changes: each }) => (
              <li key={key}>
                <Document resource={resource} changes={each} />
              </li>
            ))}
          </ul>
        )}
      </Some>
    </section>
  ));
}

function Document({ resource, changes }: { resource: Change['resource']; changes: readonly Change[] }) {
  return (
    <details className={classes.details}>
      <summary>
        <span className={classes.name} dir="auto">
          {resource.title || resource.identifier}
        </span>{' '}
        <span className={classes.note}>
          {inWords(resource.kind)} <code>{resource.identifier}</code> ·{' '}
          {plural(changes.length, '{count} change', '{count} changes')}
          {changes[0]?.note && changes.length === 1 ? ` · ${changes[0].note}` : ''}
        </span>
      </summary>
      {changes.map((change) => (
        <div key={change.pointer} className={classes.inside}>
          <div className={classes.note}>
            <code>{change.pointer || t('the whole document')}</code>
            {change.note && changes.length > 1 ? ` · ${change.note}` : ''}
          </div>
          <BeforeAfter before={change.before} after={change.after} label={`${resource.identifier} ${change.pointer}`} />
        </div>
      ))}
    </details>
  );
}

function byResource(changes: readonly Change[]) {
  const groups = new Map<string, { key: string; resource: Change['resource']; changes: Change[] }>();
  for (const change of changes) {
    const key = `${change.resource.kind} ${change.resource.identifier}`;
    const group = groups.get(key) ?? { key, resource: change.resource, changes: [] };
    group.changes.push(change);
    groups.set(key, group);
  }
  return [...groups.values()];
}
