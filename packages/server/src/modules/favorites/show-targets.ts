import type { Favorite, ViewSettings, WrittenFavorite } from '@portolan/contract/favorites';
import { scopesCover } from '@portolan/contract/scopes';
import type { Actor } from '../../platform/actor.ts';
import { findSelfServiceActions } from '../actions/index.ts';
import { type SoughtEntity, visibleEntities } from '../entities/index.ts';
import { findPages } from '../pages/index.ts';
import type { FavoriteTarget } from './favorite-target.ts';
import type { FavoritesDeps } from './favorites.deps.ts';

const agents = '_ai_agent';

/** A target that the caller may read, with what is shown of it. */
export interface Shown {
  readonly target: FavoriteTarget;
  readonly favorite: Favorite;
}

type ReadDeps = Pick<FavoritesDeps, 'database' | 'clock'>;
type Rows = { readonly keys: readonly number[] } | { readonly identifiers: readonly string[] };

/** What the caller may read of these targets, in their order. */
export async function showTargets(deps: ReadDeps, actor: Actor, targets: readonly FavoriteTarget[]): Promise<Shown[]> {
  const keysOf = (kind: FavoriteTarget['kind']) => targets.flatMap((each) => (each.kind === kind ? [each.key] : []));
  const found = await findShown(deps, actor, {
    pages: { keys: [...keysOf('page'), ...keysOf('view')] },
    actions: { keys: keysOf('action') },
    entities: targets.flatMap((each) => ('blueprintKey' in each ? [each] : [])),
  });
  const nameOf = ({ kind, key }: Pick<FavoriteTarget, 'kind' | 'key'>) => `${kind} ${key}`;
  const shown = new Map(found.map((each) => [nameOf(each.target), each]));
  return targets.flatMap((each) => {
    if (each.kind !== 'view') return shown.get(nameOf(each)) ?? [];
    return viewOf(shown.get(nameOf({ kind: 'page', key: each.key })), each.name, each.view);
  });
}

/** What the caller may read of what was named, in the order it was named. */
export async function showNamed(deps: ReadDeps, actor: Actor, named: readonly WrittenFavorite[]): Promise<Shown[]> {
  const namesOf = (kind: WrittenFavorite['kind']) =>
    named.flatMap((each) => (each.kind === kind ? [each.identifier] : []));
  const found = await findShown(deps, actor, {
    pages: {
      identifiers: [...namesOf('page'), ...named.flatMap((each) => (each.kind === 'view' ? [each.page] : []))],
    },
    actions: { identifiers: namesOf('action') },
    entities: [
      ...named.flatMap((each) => (each.kind === 'entity' ? [each] : [])),
      ...namesOf('agent').map((identifier) => ({ blueprint: agents, identifier })),
    ],
  });
  const nameOf = ({ kind, identifier, blueprint = '' }: Favorite) => JSON.stringify([kind, identifier, blueprint]);
  const shown = new Map(found.map((each) => [nameOf(each.favorite), each]));
  return named.flatMap((each) => {
    if (each.kind !== 'view') return shown.get(nameOf(each)) ?? [];
    return viewOf(shown.get(nameOf({ kind: 'page', identifier: each.page })), each.identifier, each.view);
  });
}

/** A view of a page that the caller may read; it looks like its page. */
function viewOf(page: Shown | undefined, name: string, view: ViewSettings): Shown[] {
  if (!page) return [];
  const { identifier, icon } = page.favorite;
  return [
    {
      target: { kind: 'view', key: page.target.key, name, view },
      favorite: { kind: 'view', identifier: name, page: identifier, view, title: name, ...(icon ? { icon } : {}) },
    },
  ];
}

async function findShown(
  deps: ReadDeps,
  actor: Actor,
  sought: { readonly pages: Rows; readonly actions: Rows; readonly entities: readonly SoughtEntity[] },
): Promise<Shown[]> {
  return [
    ...(await showPages(deps, actor, sought.pages)),
    ...(await showActions(deps, actor, sought.actions)),
    ...(await showEntities(deps, actor, sought.entities)),
  ];
}

/** A restricted token learns of a thing here only if it may read the thing itself. */
function reaches({ scopes }: Actor, scope: string): boolean {
  return scopesCover(scopes, scope);
}

async function showPages({ database }: ReadDeps, actor: Actor, sought: Rows): Promise<Shown[]> {
  if (isNothing(sought) || !reaches(actor, 'read:pages')) return [];
  return (await findPages(database, actor, sought)).flatMap(({ key, identifier, definition }) =>
    key === undefined
      ? []
      : [{ target: { kind: 'page', key }, favorite: { kind: 'page', identifier, ...labelOf(definition) } }],
  );
}

async function showActions({ database }: ReadDeps, actor: Actor, sought: Rows): Promise<Shown[]> {
  if (isNothing(sought) || !reaches(actor, 'read:actions')) return [];
  return (await findSelfServiceActions(database, actor, sought)).map(({ key, identifier, definition }) => ({
    target: { kind: 'action', key },
    favorite: { kind: 'action', identifier, ...labelOf(definition) },
  }));
}

/** An agent is an entity with a screen of its own, and may be either. */
async function showEntities(deps: ReadDeps, actor: Actor, sought: readonly SoughtEntity[]): Promise<Shown[]> {
  if (sought.length === 0 || !reaches(actor, 'read:entities')) return [];
  return (await visibleEntities(deps, actor, sought)).flatMap(
    ({ key, blueprintKey, blueprint, identifier, ...label }) => {
      const shownAs = (kind: 'entity' | 'agent', named: object): Shown => ({
        target: { kind, key, blueprintKey },
        favorite: { kind, identifier, ...named, ...labelOf(label) },
      });
      return [shownAs('entity', { blueprint }), ...(blueprint === agents ? [shownAs('agent', {})] : [])];
    },
  );
}

function isNothing(sought: Rows): boolean {
  return ('keys' in sought ? sought.keys : sought.identifiers).length === 0;
}

function labelOf({
  title,
  icon,
}: {
  readonly title?: string | null | undefined;
  readonly icon?: string | null | undefined;
}) {
  return { ...(title ? { title } : {}), ...(icon ? { icon } : {}) };
}
