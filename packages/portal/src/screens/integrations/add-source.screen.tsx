import { Button, Group, Stack, Text, TextInput, Title } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { AnchorLink } from '../../frame/links.tsx';
import { useUrlState } from '../../frame/url-state.ts';
import { EmptyState, Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { sourceTypeAddress } from './addresses.ts';

/** The catalogue of what can be connected: searched, and by section. */
export function Screen() {
  const [query = '', setQuery] = useUrlState('/builder/sources/add', 'query');
  const [section, setSection] = useUrlState('/builder/sources/add', 'section');
  const found = useRead('listSourceTypes', { query: { query, section } }, { keepsPrevious: true });
  return (
    <Stack gap="lg" maw={960}>
      <PageHeader
        title={t('Add a source')}
        trail={[{ to: '/builder/sources', label: t('Data sources') }]}
        description={t('Each source says which entities it adds and what you need to connect it.')}
      />
      <TextInput
        type="search"
        label={t('Search')}
        placeholder={t('PagerDuty, costs, on call …')}
        value={query}
        onChange={(event) => setQuery(event.currentTarget.value || undefined)}
        autoFocus
      />
      <Reading of={found}>
        {({ sections, sourceTypes }) => (
          <>
            <Group gap="xs" role="group" aria-label={t('Sections')}>
              {[undefined, ...sections].map((each) => (
                <Button
                  key={each ?? 'all'}
                  size="xs"
                  variant={each === section ? 'filled' : 'default'}
                  aria-pressed={each === section}
                  onClick={() => setSection(each)}
                >
                  {each ?? t('Everything')}
                </Button>
              ))}
            </Group>
            <Text size="sm" c="dimmed" role="status">
              {plural(sourceTypes.length, '{count} source', '{count} sources')}
            </Text>
            {sourceTypes.length === 0 && (
              <EmptyState
                title={t('Nothing is called that')}
                action={
                  <AnchorLink {...sourceTypeAddress('custom')}>
                    {t('Any tool with a REST API can be connected')}
                  </AnchorLink>
                }
              >
                {t('Try the name of the tool, or what you want to see of it.')}
              </EmptyState>
            )}
            {sections
              .map((name) => ({ name, types: sourceTypes.filter((each) => each.section === name) }))
              .filter(({ types }) => types.length > 0)
              .map(({ name, types }) => (
                <section key={name} aria-label={name}>
                  <Title order={2} size="h3" mb="xs">
                    {name}
                  </Title>
                  <ul className={surfaces.list}>
                    {types.map(({ type, title, summary, way }) => (
                      <li key={type} className={surfaces.item}>
                        <div>
                          <AnchorLink {...sourceTypeAddress(type)} fw={600}>
                            {title}
                          </AnchorLink>
                          <div className={surfaces.detail}>{summary}</div>
                        </div>
                        {way === 'native' && <ColourBadge colour="green">{t('Built in')}</ColourBadge>}
                      </li>
                    ))}
                  </ul>
                </section>
              ))}
          </>
        )}
      </Reading>
    </Stack>
  );
}
