import { useQueryClient } from '@tanstack/react-query';
import { fireEvent, screen, waitFor } from '@testing-library/react';
import type { ReactNode } from 'react';
import { expect, test } from 'vitest';
import { draw } from '../../../test/draw.tsx';
import { fakeApi, Refused } from '../../../test/fake-api.ts';
import { sessionKey } from '../../api/session.ts';
import type { Favorite } from './favorite.ts';
import { FavoriteList } from './favorite-list.tsx';
import { FavoriteStar } from './favorite-star.tsx';

const page = (identifier: string): Favorite => ({ kind: 'page', identifier, title: identifier.toUpperCase() });

function As({ user, children }: { user: object | null; children: ReactNode }) {
  useQueryClient().setQueryData(sessionKey, { user, roles: ['Member'] });
  return children;
}

/** A server that keeps the list, as another tab would see it too. */
function server(...before: readonly Favorite[]) {
  const stored = { favorites: [...before] };
  const received = fakeApi({
    getFavorites: () => ({ ok: true, favorites: stored.favorites }),
    putFavorites: ({ body }) => {
      stored.favorites = body.favorites.map((each) => ({ ...each, title: each.identifier.toUpperCase() }));
      return { ok: true, favorites: stored.favorites };
    },
  });
  const names = () => stored.favorites.map(({ identifier }) => identifier);
  return { stored, names, received };
}

const star = (name: 'Add to favorites' | 'Remove from favorites') => screen.findByRole('button', { name });

test('the star adds a thing at the end of the list and takes it away again', async () => {
  const { names } = server(page('a'));
  await draw(
    <As user={{}}>
      <FavoriteStar favorite={page('b')} />
      <FavoriteList />
    </As>,
  );
  fireEvent.click(await star('Add to favorites'));
  await star('Remove from favorites');
  await waitFor(() => expect(names()).toEqual(['a', 'b']));
  expect((await screen.findAllByRole('link')).map(({ textContent }) => textContent)).toEqual(['A', 'B']);
  fireEvent.click(await star('Remove from favorites'));
  await waitFor(() => expect(names()).toEqual(['a']));
});

test('what another tab did meanwhile is kept', async () => {
  const { stored, names } = server(page('a'));
  await draw(
    <As user={{}}>
      <FavoriteStar favorite={page('b')} />
      <FavoriteList />
    </As>,
  );
  await screen.findByRole('link', { name: 'A' });
  stored.favorites = [page('c')];
  fireEvent.click(await star('Add to favorites'));
  await waitFor(() => expect(names()).toEqual(['c', 'b']));
  expect(await screen.findByRole('link', { name: 'C' })).toBeTruthy();
});

test('a change that is refused is told and taken back', async () => {
  fakeApi({
    getFavorites: () => ({ ok: true, favorites: [page('a')] }),
    putFavorites: () => {
      throw new Refused(403, 'insufficient_scope', 'The token may not do this.');
    },
  });
  await draw(
    <As user={{}}>
      <FavoriteStar favorite={page('b')} />
      <FavoriteList />
    </As>,
  );
  await screen.findByRole('link', { name: 'A' });
  fireEvent.click(await star('Add to favorites'));
  expect(await screen.findByText('Your favorites were not changed. The token may not do this.')).toBeTruthy();
  await waitFor(() => expect(screen.queryByRole('link', { name: 'B' })).toBeNull());
  expect(await star('Add to favorites')).toBeTruthy();
});

test('the thirty-first is not sent', async () => {
  const { received } = server(...Array.from({ length: 30 }, (_, index) => page(`p${index}`)));
  await draw(
    <As user={{}}>
      <FavoriteStar favorite={page('b')} />
      <FavoriteList />
    </As>,
  );
  await screen.findByRole('link', { name: 'P0' });
  fireEvent.click(await star('Add to favorites'));
  expect(await screen.findByText('You have 30 favorites, the most there can be. Remove one first.')).toBeTruthy();
  expect(received.map(({ name }) => name)).toEqual(['getFavorites']);
});

test('credentials of the organization are offered no star, and ask for no list', async () => {
  const { received } = server(page('a'));
  await draw(
    <As user={null}>
      <FavoriteStar favorite={page('b')} />
      <FavoriteList />
    </As>,
  );
  expect(await screen.findByText('Only people have favorites.')).toBeTruthy();
  expect(screen.queryByRole('button')).toBeNull();
  expect(received).toEqual([]);
});
