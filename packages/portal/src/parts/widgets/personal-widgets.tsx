import { Tabs } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import type { InputOf } from '../../api/api.ts';
import { useRead } from '../../api/query.ts';
import { personHere, useSession } from '../../api/session.ts';
import { recentEntities } from '../../frame/recent.ts';
import { locale } from '../../kit/language.ts';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityAnchor } from '../entity-anchor.tsx';
import { FavoriteList } from '../favorites/favorite-list.tsx';
import classes from './widgets.module.css';

const shownMax = 12;

/** What the user's teams own, and beside it what the user keeps as favorites. */
export function MyEntities() {
  const { user } = useSession();
  if (!user) return <Owned />;
  return (
    <Tabs defaultValue="owned" keepMounted={false}>
      <Tabs.List mb="xs">
        <Tabs.Tab value="owned">{t('My teams')}</Tabs.Tab>
        <Tabs.Tab value="favorites">{t('Favorites')}</Tabs.Tab>
      </Tabs.List>
      <Tabs.Panel value="owned">
        <Owned />
      </Tabs.Panel>
      <Tabs.Panel value="favorites">
        <FavoriteList />
      </Tabs.Panel>
    </Tabs>
  );
}

/** Users, teams, rule results and other records of the platform also have a team; nobody looks for them here. */
const ownedByMyTeams: InputOf<'searchEntities'>['body'] = {
  combinator: 'and',
  rules: [
    { property: '$team', operator: 'in', value: [t('My Teams')] },
    { property: '$blueprint', operator: 'doesNotBeginsWith', value: '_' },
  ],
};

function Owned() {
  const session = useSession();
  const teams = session.user?.teams ?? [];
  const read = useRead(
    'searchEntities',
    {
      query: { include: ['identifier', 'title', 'blueprint', 'icon'], exclude_calculated_properties: true },
      body: ownedByMyTeams,
    },
    { isOn: teams.length > 0 },
  );
  if (teams.length === 0)
    return <p className={classes.calm}>{t('You are in no team yet. What your teams own appears here.')}</p>;
  return (
    <Reading of={read}>
      {({ entities }) =>
        entities.length === 0 ? (
          <p className={classes.calm}>{t('Your teams own nothing yet.')}</p>
        ) : (
          <>
            <ul className={classes.list}>
              {entities.slice(0, shownMax).map(({ blueprint = '', identifier = '', title, icon }) => (
                <li key={`${blueprint} ${identifier}`}>
                  <EntityAnchor blueprint={blueprint} identifier={identifier} title={title} icon={icon ?? ''} />
                  <span className={classes.calm}>{blueprint}</span>
                </li>
              ))}
            </ul>
            {entities.length > shownMax && (
              <p className={classes.calm}>
                {t('and {value} more', { value: (entities.length - shownMax).toLocaleString(locale) })}
              </p>
            )}
          </>
        )
      }
    </Reading>
  );
}

export function RecentlyViewed() {
  const session = useSession();
  const recent = recentEntities(personHere(session));
  if (recent.length === 0) return <p className={classes.calm}>{t('Entities you look at appear here.')}</p>;
  return (
    <ul className={classes.list}>
      {recent.map(({ blueprint, identifier, title }) => (
        <li key={`${blueprint} ${identifier}`}>
          <EntityAnchor blueprint={blueprint} identifier={identifier} title={title} />
          <span className={classes.calm}>{blueprint}</span>
        </li>
      ))}
    </ul>
  );
}

/** Actions of the user's latest runs. */
export function RecentlyUsed() {
  const { user } = useSession();
  const read = useRead(
    'listRuns',
    { query: { user_email: user?.email ?? '', limit: 50, version: 'v2' } },
    { isOn: user !== null },
  );
  if (!user) return <p className={classes.calm}>{t('Only people run actions.')}</p>;
  return (
    <Reading of={read}>
      {({ runs }) => {
        const actions = new Map(
          runs.flatMap(({ action }) => {
            if (action === undefined) return [];
            return typeof action === 'string'
              ? [[action, action] as const]
              : [[action.identifier, action.title ?? action.identifier] as const];
          }),
        );
        if (actions.size === 0) return <p className={classes.calm}>{t('Actions you run appear here.')}</p>;
        return (
          <ul className={classes.list}>
            {[...actions].slice(0, 8).map(([identifier, title]) => (
              <li key={identifier}>
                <Link to="/self-service/$action" params={{ action: identifier }}>
                  {title}
                </Link>
              </li>
            ))}
          </ul>
        );
      }}
    </Reading>
  );
}
