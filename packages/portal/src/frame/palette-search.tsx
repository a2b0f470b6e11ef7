import { useDebouncedValue } from '@mantine/hooks';
import { useNavigate } from '@tanstack/react-router';
import { useMemo } from 'react';
import { useRead } from '../api/query.ts';
import { personHere, useSession } from '../api/session.ts';
import { t } from '../kit/translate.ts';
import { entityAddress } from '../parts/entity-anchor.tsx';
import { EntityIcon } from '../parts/entity-icon.tsx';
import { type Favorite, favoriteAddress, favoriteKey } from '../parts/favorites/favorite.ts';
import { useFavorites } from '../parts/favorites/use-favorites.ts';
import { useKnownCommands } from './commands.tsx';
import type { LinkTarget } from './link-target.ts';
import { bestMatches, byRank, isCalled, readQuestion } from './palette-results.ts';
import { recentEntities } from './recent.ts';

/** An entity as the palette names it. */
export interface FoundEntity {
  readonly blueprint: string;
  readonly identifier: string;
  readonly title: string | null;
  readonly icon?: string | null;
  /** Owning teams as the organization refers to them; undefined until the server has answered. */
  readonly team?: readonly string[];
}

export interface Result {
  readonly key: string;
  readonly group: string;
  readonly title: string;
  /** Other names that mean exactly this: the page of a type is called by its type too. */
  readonly names?: readonly string[];
  readonly note?: string | undefined;
  readonly icon?: React.ReactNode;
  /** The owning teams, by name. */
  readonly owner?: string | undefined;
  /** What the second level acts on. */
  readonly entity?: FoundEntity;
  readonly run: () => void;
}

const entitiesMax = 12;
const favoritesMax = 5;

export function useResults(
  text: string,
  onClose: () => void,
): { results: Result[]; isSearching: boolean; problem: string | undefined } {
  const { scope, words } = readQuestion(text);
  const [asked] = useDebouncedValue(words, 120);
  const session = useSession();
  const navigate = useNavigate();
  const commands = useKnownCommands();
  const pages = useRead('getSidebar');
  const isForEntities = scope === 'all' || scope === 'people';
  const isEntitySearch = asked !== '' && isForEntities;
  const found = useRead(
    'topSearch',
    {
      body: {
        text: asked.slice(0, 200),
        limit: entitiesMax,
        ...(scope === 'people' ? { blueprints: ['_user', '_team'] } : {}),
      },
    },
    { isOn: isEntitySearch, keepsPrevious: true },
  );
  const teams = useRead('listTeams', { query: { fields: ['name', 'identifier'] } }, { isOn: isEntitySearch });
  const person = personHere(session);
  const { favorites } = useFavorites();
  // what the user chose stands before what they only looked at
  const known = useMemo<readonly FoundEntity[]>(() => {
    const chosen = favorites.flatMap(toEntity);
    return [...chosen, ...recentEntities(person).filter((each) => !chosen.some((other) => isSame(each, other)))];
  }, [favorites, person]);

  const go = (target: LinkTarget) => () => {
    onClose();
    void navigate(target);
  };
  const entityResult = (group: string, entity: FoundEntity): Result => ({
    key: `entity ${entity.blueprint} ${entity.identifier}`,
    group,
    title: entity.title ?? entity.identifier,
    note:
      entity.title && entity.title !== entity.identifier
        ? `${entity.blueprint} · ${entity.identifier}`
        : entity.blueprint,
    icon: <EntityIcon name={entity.icon ?? undefined} />,
    owner: ownerOf(entity, teams.data?.teams ?? []),
    entity,
    run: go(entityAddress(entity.blueprint, entity.identifier)),
  });
  const results: Result[] = [];
  if (words === '' && scope === 'all') {
    const recent = recentEntities(person).slice(0, 5);
    results.push(
      ...recent.map((each) => entityResult(t('Recent'), each)),
      ...favorites
        .filter((each) => !toEntity(each).some((entity) => recent.some((other) => isSame(entity, other))))
        .slice(0, favoritesMax)
        .map((favorite) => favoriteResult(favorite, go)),
    );
  }
  if (words !== '' && isForEntities) {
    const answered = isEntitySearch ? (found.data?.entities ?? []) : [];
    const isKnown = (entity: FoundEntity) => known.some((each) => isSame(each, entity));
    // these need no answer of the server, which only adds the owner
    const local = (
      scope === 'all' ? bestMatches(known, words, ({ title, identifier }) => title ?? identifier, 5) : []
    ).map((each) => answered.find((other) => isSame(each, other)) ?? each);
    const isLocal = (entity: FoundEntity) => local.some((each) => isSame(each, entity));
    const all: FoundEntity[] = [...local, ...answered.filter((each) => !isLocal(each))];
    results.push(
      ...byRank(all, words, ({ title, identifier }) => [title ?? identifier, identifier], isKnown).map((each) =>
        entityResult(t('Entities'), each),
      ),
    );
  }
  const pageItems = (pages.data?.sidebar.items ?? []).flatMap((item) => (item.sidebarType === 'page' ? [item] : []));
  if (scope === 'all' || scope === 'pages') {
    const most = scope === 'pages' ? 50 : 5;
    results.push(
      ...bestMatches(pageItems, words, ({ title, identifier }) => title ?? identifier, most).map(
        ({ identifier, title, icon, type, blueprint }) => ({
          key: `page ${identifier}`,
          group: t('Pages'),
          title: title ?? identifier,
          names: type === 'blueprint-entities' && blueprint ? [blueprint] : [],
          icon: <EntityIcon name={icon} />,
          run: go({ to: '/catalog/$page', params: { page: identifier } }),
        }),
      ),
    );
  }
  if (scope === 'all' || scope === 'commands') {
    // a screen may offer what the frame offers everywhere; the same words twice would be a riddle
    const offered = commands
      .filter(({ id, isFor }) => id !== 'palette' && (isFor?.(session) ?? true))
      .filter(({ label }, index, all) => all.findIndex((other) => other.label === label) === index);
    const most = scope === 'commands' ? 50 : 6;
    results.push(
      ...bestMatches(offered, words, ({ label, keywords }) => `${label} ${keywords ?? ''}`, most).map(
        ({ id, label, icon: Icon, run }) => ({
          // two destinations may share an address, and so an id
          key: `command ${id} ${label}`,
          group: t('Commands'),
          title: label,
          icon: Icon && <Icon size={16} aria-hidden="true" />,
          run: () => {
            onClose();
            run();
          },
        }),
      ),
    );
  }
  return {
    results: exactFirst(results, words),
    // from the first letter on: Enter waits for the server also before it was asked
    isSearching: isForEntities && words !== '' && (asked !== words || found.isFetching),
    problem:
      isEntitySearch && found.error ? t('The search failed: {message}', { message: found.error.message }) : undefined,
  };
}

/** What is called exactly as it was typed stands above all groups. */
function exactFirst(results: readonly Result[], words: string): Result[] {
  const exact = results.filter(({ title, names = [] }) => [title, ...names].some((name) => isCalled(name, words)));
  return [
    ...exact.map((each) => ({ ...each, group: t('Best match') })),
    ...results.filter((each) => !exact.includes(each)),
  ];
}

type KnownTeam = { readonly name?: string | undefined; readonly identifier?: string | undefined };

/** The owner in words. People and teams have no owner. */
function ownerOf({ blueprint, team = [] }: FoundEntity, teams: readonly KnownTeam[]): string | undefined {
  if (team.length === 0 || blueprint.startsWith('_')) return undefined;
  return team.map((each) => teams.find(({ identifier }) => identifier === each)?.name ?? each).join(', ');
}

function isSame(one: FoundEntity, other: FoundEntity): boolean {
  return one.blueprint === other.blueprint && one.identifier === other.identifier;
}

function toEntity({ kind, blueprint, identifier, title, icon }: Favorite): FoundEntity[] {
  if (kind !== 'entity' || blueprint === undefined) return [];
  return [{ blueprint, identifier, title: title ?? null, ...(icon ? { icon } : {}) }];
}

function favoriteResult(favorite: Favorite, go: (target: LinkTarget) => () => void): Result {
  const [entity] = toEntity(favorite);
  return {
    key: `favorite ${favoriteKey(favorite)}`,
    group: t('Favorites'),
    title: favorite.title || favorite.identifier,
    note: favorite.blueprint ?? favorite.kind,
    icon: <EntityIcon name={favorite.icon} />,
    ...(entity ? { entity } : {}),
    run: go(favoriteAddress(favorite)),
  };
}
