import { Alert, Stack, Table, Text } from '@mantine/core';
import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import classes from './effect.module.css';
import { type Effect, effectSentence } from './effect-sentence.ts';

/** What will happen: the sentence, each value before and after, and what else is touched. */
export function EffectView({ effect }: { effect: Effect }) {
  const { summary, changes, dependents, referencedBy, problems, isPartial } = effect;
  return (
    <Stack gap="sm">
      <Text className={classes.sentence ?? ''} data-verb={summary.verb}>
        {effectSentence(effect)}
      </Text>
      {problems.length > 0 && (
        <Alert color="yellow" title={t('This would fail as things are now')}>
          {problems.map((problem) => (
            <div key={problem}>{problem}</div>
          ))}
        </Alert>
      )}
      {changes.map(
        ({ blueprint, identifier, fields }) =>
          fields.length > 0 && <Fields key={`${blueprint.identifier} ${identifier}`} fields={fields} />,
      )}
      <Groups title={t('Deleted along')} groups={dependents} />
      <Groups title={t('Keeps pointing here, and loses the value')} groups={referencedBy} />
      {isPartial && (
        <Text size="sm" c="dimmed">
          {t('Some of this is about entities that you may not see.')}
        </Text>
      )}
    </Stack>
  );
}

function Fields({ fields }: { fields: Effect['changes'][number]['fields'] }) {
  return (
    <div className={classes.scroll}>
      <Table aria-label={t('Changed values')} withRowBorders>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{t('Value')}</Table.Th>
            <Table.Th>{t('Now')}</Table.Th>
            <Table.Th>{t('After')}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {fields.map(({ key, title, before, after }) => (
            <Table.Tr key={key}>
              <Table.Th scope="row">{title}</Table.Th>
              <Table.Td dir="auto">{shown(before)}</Table.Td>
              <Table.Td dir="auto">{shown(after)}</Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </div>
  );
}

function Groups({ title, groups }: { title: string; groups: Effect['dependents'] }) {
  if (groups.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600}>
        {title}
      </Text>
      <ul className={classes.list}>
        {groups.map(({ blueprint, count, sample }) => (
          <li key={blueprint.identifier}>
            {count.toLocaleString(locale)} {blueprint.title}:{' '}
            {sample.map(({ identifier, title: name }, index) => (
              <span key={identifier}>
                {index > 0 && ', '}
                <EntityAnchor blueprint={blueprint.identifier} identifier={identifier} title={name} />
              </span>
            ))}
            {count > sample.length &&
              ` ${t('and {value} more', { value: (count - sample.length).toLocaleString(locale) })}`}
          </li>
        ))}
      </ul>
    </section>
  );
}

function shown(value: unknown): string {
  if (value === null || value === undefined) return 'empty';
  return typeof value === 'string' ? value : JSON.stringify(value);
}
