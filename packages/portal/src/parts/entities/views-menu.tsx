import { Button, TextInput } from '@mantine/core';
import { Bookmark, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { personHere, useSession } from '../../api/session.ts';
import { Menu } from '../../kit/menu.tsx';
import { useToast } from '../../kit/toasts.tsx';
import { t } from '../../kit/translate.ts';
import { NeedsItem } from '../access/needs.tsx';
import type { Permit } from '../access/permit.ts';
import { type Favorite, isIn, withoutFavorite, withView } from '../favorites/favorite.ts';
import { FavoriteMark } from '../favorites/favorite-star.tsx';
import { useFavorites } from '../favorites/use-favorites.ts';
import classes from './entities.module.css';
import { forgetView, type SavedView, savedViews, saveView } from './saved-views.ts';
import type { View } from './view.ts';
import { wholeView } from './view-state.ts';

/** Menu of the user's saved views of a page, and for those who may change the page, of saving a view for everyone. */
export function ViewsMenu({
  page,
  view,
  isChanged,
  onApply,
  onSaveForAll,
  mayChange,
}: {
  page: string;
  view: View;
  isChanged: boolean;
  onApply: (view: View) => void;
  onSaveForAll?: (() => Promise<void>) | undefined;
  /** Whether the user may change the page, as the server says. */
  mayChange?: Permit | undefined;
}) {
  const session = useSession();
  const person = personHere(session);
  const [views, setViews] = useState(() => savedViews(person, page));
  const [name, setName] = useState('');
  const toast = useToast();
  const { favorites, change: changeFavorites } = useFavorites();
  const forget = (saved: SavedView) => {
    forgetView(person, page, saved.name);
    setViews(savedViews(person, page));
    const favorite = favoriteOf(page, saved);
    if (isIn(favorites, favorite)) changeFavorites({ edit: withoutFavorite(favorite) });
  };
  const keep = () => {
    try {
      saveView(person, page, { name: name.trim(), view });
      setViews(savedViews(person, page));
      const favorite = favoriteOf(page, { name: name.trim(), view });
      if (isIn(favorites, favorite)) changeFavorites({ edit: withView(favorite) });
      toast(t('The view {name} is kept on this browser', { name: name.trim() }));
      setName('');
    } catch {
      toast({ text: t('This browser keeps nothing. Copy the address instead: it holds the view.'), kind: 'failure' });
    }
  };
  return (
    <Menu position="bottom-end" withinPortal shadow="md" width={280} closeOnItemClick>
      <Menu.Target>
        <Button variant="default" leftSection={<Bookmark size={14} />}>
          {t('Views')}
        </Button>
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Label>{t('Yours, on this browser')}</Menu.Label>
        {views.length === 0 && <Menu.Item disabled>{t('None yet')}</Menu.Item>}
        {views.map((saved) => (
          <ViewRow
            key={saved.name}
            favorite={favoriteOf(page, saved)}
            onApply={() => onApply(wholeView(saved.view) as View)}
            onForget={() => forget(saved)}
          />
        ))}
        <Menu.Divider />
        <form
          style={{ padding: 8 }}
          onSubmit={(event) => {
            event.preventDefault();
            if (name.trim()) keep();
          }}
        >
          <TextInput
            size="xs"
            label={t('Keep this view as')}
            value={name}
            maxLength={60}
            onChange={({ currentTarget }) => setName(currentTarget.value)}
            onKeyDown={(event) => event.stopPropagation()}
            rightSectionWidth={60}
            rightSection={
              <Button type="submit" size="compact-xs" variant="subtle" disabled={name.trim() === ''}>
                {t('Save')}
              </Button>
            }
          />
        </form>
        {onSaveForAll && (
          <NeedsItem permit={mayChange} to={t('save a view of this page for everybody')}>
            <Menu.Item disabled={!isChanged} onClick={() => void onSaveForAll()}>
              {t('Save for everybody')}
            </Menu.Item>
          </NeedsItem>
        )}
      </Menu.Dropdown>
    </Menu>
  );
}

function favoriteOf(page: string, { name, view }: SavedView): Favorite {
  return {
    kind: 'view',
    identifier: name,
    title: name,
    page,
    view: wholeView(view) as unknown as NonNullable<Favorite['view']>,
  };
}

/** One line of the menu: the view, its star, and the way to forget it. */
function ViewRow({ favorite, onApply, onForget }: { favorite: Favorite; onApply: () => void; onForget: () => void }) {
  const name = favorite.identifier;
  return (
    <div role="none" className={classes.viewRow}>
      <Menu.Item className={classes.viewName ?? ''} onClick={onApply}>
        {name}
      </Menu.Item>
      <FavoriteMark favorite={favorite} />
      <Menu.Item
        className={classes.viewButton ?? ''}
        color="red"
        aria-label={t('Forget {name}', { name })}
        onClick={onForget}
      >
        <Trash2 size={14} aria-hidden="true" />
      </Menu.Item>
    </div>
  );
}
