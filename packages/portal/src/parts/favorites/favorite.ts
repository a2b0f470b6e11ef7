import { linkOptions } from '@tanstack/react-router';
import type { AnswerOf } from '../../api/api.ts';
import type { LinkTarget } from '../../frame/link-target.ts';
import { entityAddress } from '../entity-anchor.tsx';
import { formAddress } from '../run-things.ts';

export type Favorite = AnswerOf<'getFavorites'>['favorites'][number];
/** The list after a change. */
export type Edit = (favorites: readonly Favorite[]) => readonly Favorite[];

/** As many as the server takes. */
export const favoritesMax = 30;

/** One name for each thing, as a key. */
export function favoriteKey({ kind, blueprint = '', page = '', identifier }: Favorite): string {
  const within = { entity: blueprint, view: page, page: '', action: '', agent: '' }[kind];
  return `${kind} ${within} ${identifier}`;
}

export function isIn(favorites: readonly Favorite[], favorite: Favorite): boolean {
  return favorites.some((each) => favoriteKey(each) === favoriteKey(favorite));
}

export function favoriteAddress({ kind, blueprint = '', page = '', view, identifier }: Favorite): LinkTarget {
  switch (kind) {
    case 'page':
      return linkOptions({ to: '/catalog/$page', params: { page: identifier } });
    case 'view':
      return linkOptions({ to: '/catalog/$page', params: { page }, search: { view } });
    case 'entity':
      return entityAddress(blueprint, identifier);
    case 'action':
      return formAddress(identifier);
    case 'agent':
      return linkOptions({ to: '/ai/agents/$agent', params: { agent: identifier } });
  }
}

/** The new one stands last. */
export function withFavorite(favorite: Favorite): Edit {
  return (favorites) => (isIn(favorites, favorite) ? favorites : [...favorites, favorite]);
}

export function withoutFavorite(favorite: Favorite): Edit {
  return (favorites) => favorites.filter((each) => favoriteKey(each) !== favoriteKey(favorite));
}

/** With the view as it was kept last; nothing else changes. */
export function withView({ view, ...favorite }: Favorite): Edit {
  return (favorites) =>
    favorites.map((each) => (favoriteKey(each) === favoriteKey(favorite) ? { ...each, view } : each));
}

/** Puts one before the place of another; without another, last. Unchanged if the moved one is gone. */
export function movedBefore(moved: Favorite, other: Favorite | undefined): Edit {
  return (favorites) => {
    const found = favorites.find((each) => favoriteKey(each) === favoriteKey(moved));
    if (!found || (other && favoriteKey(other) === favoriteKey(moved))) return favorites;
    const others = withoutFavorite(moved)(favorites);
    const place = other ? others.findIndex((each) => favoriteKey(each) === favoriteKey(other)) : -1;
    return place < 0 ? [...others, found] : [...others.slice(0, place), found, ...others.slice(place)];
  };
}
