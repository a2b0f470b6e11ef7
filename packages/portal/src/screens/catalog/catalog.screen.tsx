import { Text, TextInput, Title } from '@mantine/core';
import { Search } from 'lucide-react';
import { useRef } from 'react';
import { useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { useCommands } from '../../frame/commands.tsx';
import { ButtonLink } from '../../frame/links.tsx';
import { scoreMatch } from '../../frame/palette-results.ts';
import { type RailNode, railTree } from '../../frame/rail-tree.ts';
import { useUrlState } from '../../frame/url-state.ts';
import { LightLink } from '../../kit/light-link.tsx';
import { EmptyState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import classes from './catalog.module.css';
import { type CatalogGroup, groupPages } from './catalog-groups.ts';

/** Everything the catalog has a page for: dashboards by folder, and the types. */
export function Screen() {
  const read = useRead('getSidebar');
  return (
    <>
      <PageHeader title={t('Catalog')} description={t('Pages and types of your organization.')} />
      <Reading of={read} isScreen skeleton={<TextSkeleton lines={10} />}>
        {({ sidebar }) => <Groups nodes={railTree(sidebar.items)} />}
      </Reading>
    </>
  );
}

function Groups({ nodes }: { nodes: readonly RailNode[] }) {
  const session = useSession();
  const [words = '', setWords] = useUrlState('/catalog', 'q');
  const field = useRef<HTMLInputElement>(null);
  useCommands([
    { id: 'catalog-filter', label: t('Filter pages and types'), keys: '/', run: () => field.current?.focus() },
  ]);
  if (nodes.length === 0) {
    return (
      <EmptyState
        title={t('There are no pages yet')}
        action={isAdmin(session) && <ButtonLink to="/builder/data-model">{t('Open the data model')}</ButtonLink>}
      >
        {t('Each type of the data model brings a page with the table of its entities.')}
      </EmptyState>
    );
  }
  const groups = groupPages(nodes, (name) => scoreMatch(name, words) > 0);
  return (
    <>
      <TextInput
        ref={field}
        className={classes.filter ?? ''}
        type="search"
        aria-label={t('Filter pages and types')}
        placeholder={t('Filter pages and types')}
        leftSection={<Search size={16} aria-hidden="true" />}
        value={words}
        onChange={({ currentTarget }) => setWords(currentTarget.value || undefined)}
      />
      {groups.length === 0 && <Text c="dimmed">{t('No match for “{words}”. Try fewer letters.', { words })}</Text>}
      {groups.map((group) => (
        <Group key={group.key} group={group} />
      ))}
    </>
  );
}

function Group({ group: { title, pages } }: { group: CatalogGroup }) {
  return (
    <section className={classes.group} aria-label={title}>
      <Title order={2} size="h4" mb="xs" dir="auto">
        {title}
      </Title>
      <ul className={classes.pages}>
        {pages.map(({ identifier, title: name, icon }) => (
          <li key={identifier}>
            <LightLink target={{ to: '/catalog/$page', params: { page: identifier } }} className={classes.page}>
              <EntityIcon name={icon} />
              <span dir="auto">{name ?? identifier}</span>
            </LightLink>
          </li>
        ))}
      </ul>
    </section>
  );
}
