import { Button, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { linkOptions } from '@tanstack/react-router';
import { FileSpreadsheet, GitBranch, Layers } from 'lucide-react';
import { useChange, useRead } from '../../api/query.ts';
import { isAdmin, useSession } from '../../api/session.ts';
import { AnchorLink, ButtonLink } from '../../frame/links.tsx';
import { Block } from '../../kit/block.tsx';
import { Reading } from '../../kit/states.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { Checklist } from './checklist.tsx';
import { DemoBlock } from './demo-block.tsx';
import classes from './home.module.css';

const doors = [
  {
    title: t('Connect Git'),
    text: t('Repositories with their owners, languages and pull requests, from GitHub, GitLab, Gitea and others.'),
    icon: GitBranch,
    address: linkOptions({ to: '/builder/sources/add', search: { section: t('Repositories') } }),
  },
  {
    title: t('Come from Backstage'),
    text: t('Components, systems, APIs, groups and users, from the files of a Backstage or from a running one.'),
    icon: Layers,
    address: linkOptions({ to: '/imports/backstage' }),
  },
  {
    title: t('Upload a list'),
    text: t('A sheet or a file: Excel, CSV, JSON or pasted rows, with a preview before anything is written.'),
    icon: FileSpreadsheet,
    address: linkOptions({ to: '/imports/new' }),
  },
] as const;

/** The first steps of an organization: where its data is, a model to start from, and what is done already. */
export function FirstRun() {
  const isForAdmin = isAdmin(useSession());
  const dismiss = useChange('patchChecklist', { staleAfter: ['getChecklist'] });
  const checklist = useRead('getChecklist');
  return (
    <>
      <PageHeader
        title={t('Bring in what you have')}
        description={t('Your own services and their owners, from where they are today.')}
        actions={
          isForAdmin &&
          checklist.data?.isFirstRun && (
            <Button
              variant="subtle"
              loading={dismiss.isPending}
              onClick={() => dismiss.mutate({ body: { dismissed: true } })}
            >
              {t('Show the normal Home')}
            </Button>
          )
        }
      />
      <div className={classes.firstRun}>
        <div>
          <Stack gap="md">
            {isForAdmin && (
              <>
                <SimpleGrid cols={{ base: 1, sm: 3 }} spacing="md">
                  {doors.map(({ title, text, icon: Icon, address }) => (
                    <article key={title} className={surfaces.block} aria-label={title}>
                      <Stack gap="xs" h="100%">
                        <Icon size={24} aria-hidden="true" />
                        <Title order={2} size="h4">
                          {title}
                        </Title>
                        <Text size="sm" c="dimmed">
                          {text}
                        </Text>
                        <ButtonLink {...address} size="xs" mt="auto" aria-label={t('{title}: begin', { title })}>
                          {t('Begin')}
                        </ButtonLink>
                      </Stack>
                    </article>
                  ))}
                </SimpleGrid>
                <Models />
                <DemoBlock />
                <Group>
                  <ButtonLink to="/builder/sources/add" variant="default" size="xs">
                    {t('More sources')}
                  </ButtonLink>
                </Group>
              </>
            )}
            {!isForAdmin && (
              <Text>{t('An administrator brings in the first data. You see here how far that is.')}</Text>
            )}
          </Stack>
        </div>
        <div>
          <Reading of={checklist}>{(read) => <Checklist items={read.items} canDismiss={isForAdmin} />}</Reading>
        </div>
      </div>
    </>
  );
}

function Models() {
  const packs = useRead('listPacks');
  return (
    <Block title={t('Start from a model')}>
      <Reading of={packs}>
        {({ packs: list }) => (
          <ul className={classes.list}>
            {list.map(({ id, title, icon, summary, installed }) => (
              <li key={id}>
                <div>
                  <AnchorLink to="/builder/models" search={{ model: id }} className={classes.link ?? ''}>
                    <EntityIcon name={icon} />
                    {title}
                  </AnchorLink>
                  <div className={classes.note}>{summary}</div>
                </div>
                {installed && <span className={classes.note}>{t('Installed')}</span>}
              </li>
            ))}
          </ul>
        )}
      </Reading>
    </Block>
  );
}
