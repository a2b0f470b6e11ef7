import { Button, Stack, Text } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { lazy, Suspense } from 'react';
import { useRead } from '../../api/query.ts';
import { isAdmin, personHere, useSession } from '../../api/session.ts';
import { useInbox } from '../../frame/inbox.ts';
import { usePanel } from '../../frame/panel.tsx';
import { recentEntities } from '../../frame/recent.ts';
import { Block } from '../../kit/block.tsx';
import { ErrorState, Reading, TextSkeleton } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { TeamBadge } from '../../parts/badges.tsx';
import { EntityAnchor } from '../../parts/entity-anchor.tsx';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { FavoriteList } from '../../parts/favorites/favorite-list.tsx';
import { PageHeader } from '../../parts/page-header.tsx';
import { EditPageButton } from '../../parts/pages/edit-page-button.tsx';
import { EditablePage } from '../../parts/pages/editable-page.tsx';
import { usePageEditing } from '../../parts/pages/use-page-editing.ts';
import classes from './home.module.css';
import { OwnCampaigns } from './own-campaigns.tsx';

const FirstRun = lazy(async () => ({ default: (await import('./first-run.tsx')).FirstRun }));
const Dashboard = lazy(async () => ({ default: (await import('../../parts/widgets/dashboard.tsx')).Dashboard }));

/** The start page; the first steps as long as an administrator has too little to look at. */
export function Screen() {
  const isForAdmin = isAdmin(useSession());
  const checklist = useRead('getChecklist', {}, { isOn: isForAdmin });
  const { part } = usePageEditing();
  if (isForAdmin && checklist.isPending) return <TextSkeleton />;
  if (!checklist.data?.isFirstRun || part !== undefined) return <Home />;
  return (
    <Suspense fallback={<TextSkeleton />}>
      <FirstRun />
    </Suspense>
  );
}

/** Pending approvals, then the organization's widgets or the user's own things. */
function Home() {
  const editing = usePageEditing();
  const home = useRead('getPage', { params: { page_identifier: '$home' } });
  const page = home.data?.page;
  const isArranged = (page?.widgets ?? []).some(hasWidgets);
  return (
    <>
      <PageHeader
        title={t('Home')}
        description={page?.description}
        actions={page && <EditPageButton page={page} name={t('Home')} editing={editing} />}
      />
      <Stack gap="md">
        <NeedsMe isQuiet={isArranged} />
        <OwnCampaigns />
        <Reading of={home}>
          {({ page: read }) => (
            <EditablePage page={read} editing={editing}>
              {isArranged ? (
                <Suspense fallback={<TextSkeleton />}>
                  <Dashboard page={read} />
                </Suspense>
              ) : (
                <div className={classes.own}>
                  <MyTeams />
                  <Favorites />
                  <Recent />
                  <Pages />
                </div>
              )}
            </EditablePage>
          )}
        </Reading>
      </Stack>
    </>
  );
}

/** A board without widgets counts as not customized. */
function hasWidgets({ type, widgets }: Readonly<Record<string, unknown>>): boolean {
  return type !== 'dashboard-widget' || (Array.isArray(widgets) && widgets.length > 0);
}

function NeedsMe({ isQuiet }: { isQuiet: boolean }) {
  const { waiting, isPending, error, refetch } = useInbox();
  const { open } = usePanel();
  if (isPending || (isQuiet && waiting.length === 0 && !error)) return null;
  if (error && waiting.length === 0)
    return <ErrorState error={error} what={t('The inbox could not be read')} onRetry={() => void refetch()} />;
  return (
    <Block title={t('Waiting for you')}>
      {waiting.length === 0 ? (
        <Text c="dimmed">{t('Nothing needs your decision.')}</Text>
      ) : (
        <Stack align="flex-start" gap="xs">
          <Text>
            {waiting.length === 1
              ? t('1 run needs your decision.')
              : t('{count} runs need your decision.', { count: waiting.length })}
          </Text>
          <Button variant="default" size="xs" onClick={() => open('inbox')}>
            {t('Open the inbox')}
          </Button>
        </Stack>
      )}
    </Block>
  );
}

function MyTeams() {
  const { user } = useSession();
  const teams = user?.teams ?? [];
  return (
    <Block title={t('Your teams')}>
      {teams.length === 0 ? (
        <Text c="dimmed">{t('You are in no team yet. An administrator can add you to one.')}</Text>
      ) : (
        <div className={classes.chips}>
          {teams.map(({ identifier, name }) => (
            <TeamBadge key={identifier} identifier={identifier} name={name} />
          ))}
        </div>
      )}
    </Block>
  );
}

function Favorites() {
  return (
    <Block title={t('Favorites')}>
      <FavoriteList />
    </Block>
  );
}

function Recent() {
  const session = useSession();
  const recent = recentEntities(personHere(session));
  return (
    <Block title={t('Recent')}>
      {recent.length === 0 ? (
        <Text c="dimmed">{t('Entities you look at appear here.')}</Text>
      ) : (
        <ul className={classes.list}>
          {recent.map(({ blueprint, identifier, title }) => (
            <li key={`${blueprint} ${identifier}`}>
              <EntityAnchor blueprint={blueprint} identifier={identifier} title={title} />
              <span className={classes.note}>{blueprint}</span>
            </li>
          ))}
        </ul>
      )}
    </Block>
  );
}

function Pages() {
  const sidebar = useRead('getSidebar');
  return (
    <Block title={t('Dashboards')}>
      <Reading of={sidebar}>
        {({ sidebar: { items } }) => {
          const dashboards = items.flatMap((item) =>
            item.sidebarType === 'page' && item.type === 'dashboard' ? [item] : [],
          );
          if (dashboards.length === 0) return <Text c="dimmed">{t('There is no dashboard yet.')}</Text>;
          return (
            <ul className={classes.list}>
              {dashboards.map(({ identifier, title, icon }) => (
                <li key={identifier}>
                  <Link to="/catalog/$page" params={{ page: identifier }} className={classes.link}>
                    <EntityIcon name={icon} />
                    {title ?? identifier}
                  </Link>
                </li>
              ))}
            </ul>
          );
        }}
      </Reading>
    </Block>
  );
}
