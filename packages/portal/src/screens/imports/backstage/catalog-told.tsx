import { Alert, Stack, Table, Text, Title } from '@mantine/core';
import { type PlannedEntity, type Problem, placeText } from '@portolan/backstage';
import { DiffView } from '../../../kit/diff-view.tsx';
import { locale } from '../../../kit/language.ts';
import { ScrolledTable } from '../../../kit/scrolled-table.tsx';
import { t } from '../../../kit/translate.ts';
import { ColourBadge } from '../../../parts/badges.tsx';
import classes from '../imports.module.css';
import type { PlannedCatalog, SentCatalog } from './catalog-steps.ts';

const shownMax = 100;
const severities = {
  error: [t('Not mapped'), 'red'],
  warning: [t('In part'), 'yellow'],
  note: [t('Note'), 'lightGray'],
} as const;

export function CatalogFigures({ figures }: { figures: Readonly<Record<string, number>> }) {
  return (
    <dl className={classes.figures}>
      {Object.entries(figures).map(([name, count]) => (
        <div key={name}>
          <dt>{name}</dt>
          <dd>{count.toLocaleString(locale)}</dd>
        </div>
      ))}
    </dl>
  );
}

/** How many entities have an owner who is known, and which owners are not. */
export function Owners({ plan: { owners } }: Pick<PlannedCatalog, 'plan'>) {
  const { owned, ownable, missing } = owners;
  if (ownable === 0) return null;
  return (
    <Alert
      color={missing.length > 0 ? 'yellow' : 'green'}
      title={t('{owned} of {ownable} have an owner here', { owned, ownable })}
    >
      {missing.length > 0 && (
        <Text size="sm" dir="auto">
          {t('No team here is called {missing}', { missing: missing.slice(0, 20).join(', ') })}
          {missing.length > 20 && ` ${t('and {value} more', { value: missing.length - 20 })}`}
          {t(
            '. Such an owner is shown and grants nothing until somebody creates the team, or the file with the group is imported as well.',
          )}
        </Text>
      )}
    </Alert>
  );
}

/** What the server refuses, as a problem of the document that it came from. */
export function toRefusals({ plan, files }: PlannedCatalog, sent: SentCatalog | undefined): Problem[] {
  const places = new Map(files.documents.map(({ document, place }) => [document as unknown, place]));
  return (sent?.refusals ?? []).map(({ line, message }) => {
    const draft = plan.entities[line - 1]?.draft;
    const place = places.get(draft?.properties['backstage']) ?? null;
    return { severity: 'error', code: 'invalid_document', message, item: draft?.key ?? null, place };
  });
}

/** What cannot be mapped, or not as it stands, and why; what costs a document first. */
export function CatalogProblems({ problems }: { problems: readonly Problem[] }) {
  if (problems.length === 0) return null;
  const order = Object.keys(severities);
  const sorted = problems.toSorted((left, right) => order.indexOf(left.severity) - order.indexOf(right.severity));
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t('What does not fit')}
      </Title>
      <ScrolledTable label={t('What does not fit')} minWidth={640}>
        <Table.Thead>
          <Table.Tr>
            {[t('Outcome'), t('Why'), t('Document'), t('Where')].map((heading) => (
              <Table.Th key={heading} scope="col">
                {heading}
              </Table.Th>
            ))}
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {sorted.slice(0, shownMax).map(({ severity, message, item, place }, index) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: a list that never changes
            <Table.Tr key={index}>
              <Table.Td>
                <ColourBadge colour={severities[severity][1]}>{severities[severity][0]}</ColourBadge>
              </Table.Td>
              <Table.Td>{message}</Table.Td>
              <Table.Td dir="auto">{item ?? ''}</Table.Td>
              <Table.Td dir="auto" className={classes.value}>
                {place ? placeText(place) : ''}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </ScrolledTable>
      {sorted.length > shownMax && (
        <Text size="sm">{t('and {value} more', { value: (sorted.length - shownMax).toLocaleString(locale) })}</Text>
      )}
    </Stack>
  );
}

/** The first entities that would be written, with what was before. */
export function CatalogChanges({ entities }: { entities: readonly PlannedEntity[] }) {
  const changes = entities.filter(({ change }) => change !== 'unchanged');
  if (changes.length === 0) return null;
  return (
    <Stack gap="xs">
      <Title order={2} size="h3">
        {t('What would change')}
      </Title>
      {changes.slice(0, shownMax).map(({ draft, change, fields, before, record }) => (
        <details key={draft.key}>
          <summary>
            {change === 'created' ? t('Create') : t('Change')} {draft.blueprint} <code>{draft.identifier}</code>
          </summary>
          <DiffView
            before={before ? pick(before, fields) : {}}
            after={before ? pick(record.body, fields) : withoutEmpty(record.body)}
          />
        </details>
      ))}
      {changes.length > shownMax && (
        <Text size="sm">{t('and {value} more', { value: (changes.length - shownMax).toLocaleString(locale) })}</Text>
      )}
    </Stack>
  );
}

interface Written {
  readonly title?: unknown;
  readonly team?: unknown;
  readonly properties?: object | undefined;
  readonly relations?: object | undefined;
}

function pick({ title, team, properties, relations }: Written, fields: readonly string[]): object {
  const all = { title, team, ...properties, ...relations };
  return Object.fromEntries(Object.entries(all).filter(([key]) => fields.includes(key)));
}

function withoutEmpty({ title, team, properties, relations }: Written): object {
  const all = { title, team, ...properties, ...relations };
  const isEmpty = (value: unknown) => value == null || (Array.isArray(value) && value.length === 0);
  return Object.fromEntries(Object.entries(all).filter(([key, value]) => key !== 'backstage' && !isEmpty(value)));
}
