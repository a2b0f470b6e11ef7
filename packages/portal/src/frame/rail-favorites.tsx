import { ArrowDown, ArrowUp, ChevronDown, StarOff } from 'lucide-react';
import { type DragEvent, useId, useState } from 'react';
import { Menu } from '../kit/menu.tsx';
import { t } from '../kit/translate.ts';
import { EntityIcon } from '../parts/entity-icon.tsx';
import {
  type Edit,
  type Favorite,
  favoriteAddress,
  favoriteKey,
  movedBefore,
  withoutFavorite,
} from '../parts/favorites/favorite.ts';
import { useFavorites } from '../parts/favorites/use-favorites.ts';
import classes from './rail-arranged.module.css';
import { RailMoreButton } from './rail-more-button.tsx';
import { RailLink } from './rail-node.tsx';

/** More would push the pages out of sight. */
const shownMax = 8;

/** The user's favorites, arranged by dragging or by their menus. */
export function RailFavorites({ onGo }: { onGo?: (() => void) | undefined }) {
  const { favorites, change } = useFavorites();
  const heading = useId();
  const [isOpen, setOpen] = useState(false);
  const [dragged, setDragged] = useState<Favorite>();
  const [target, setTarget] = useState<{ at: number; side: 'above' | 'below' }>();
  if (favorites.length === 0) return null;
  const shown = isOpen ? favorites : favorites.slice(0, shownMax);
  const end = () => {
    setDragged(undefined);
    setTarget(undefined);
  };
  const drop = () => {
    if (dragged && target) {
      change({ edit: movedBefore(dragged, favorites[target.at + (target.side === 'below' ? 1 : 0)]) });
    }
    end();
  };
  const over = (event: DragEvent<HTMLElement>, at: number) => {
    if (!dragged) return;
    event.preventDefault();
    const { top, height } = event.currentTarget.getBoundingClientRect();
    const side = event.clientY < top + height / 2 ? 'above' : 'below';
    if (target?.at !== at || target.side !== side) setTarget({ at, side });
  };
  return (
    <>
      <p className={classes.heading} id={heading}>
        {t('Favorites')}
      </p>
      <ul className={classes.group} aria-labelledby={heading}>
        {shown.map((favorite, at) => (
          <li
            key={favoriteKey(favorite)}
            className={classes.entry}
            data-entry
            data-drop={dragged && target?.at === at ? target.side : undefined}
            draggable
            onDragStart={(event) => {
              event.dataTransfer.effectAllowed = 'move';
              setDragged(favorite);
            }}
            onDragEnd={end}
            onDragOver={(event) => over(event, at)}
            onDrop={(event) => {
              event.preventDefault();
              drop();
            }}
          >
            <RailLink
              target={favoriteAddress(favorite)}
              label={favorite.title || favorite.identifier}
              icon={<EntityIcon name={favorite.icon} />}
              onGo={onGo}
            />
            <EntryMenu favorites={favorites} at={at} onChange={(edit) => change({ edit })} />
          </li>
        ))}
      </ul>
      {favorites.length > shownMax && (
        <button
          type="button"
          className={classes.add}
          data-item
          tabIndex={-1}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        >
          <ChevronDown size={16} aria-hidden="true" className={isOpen ? classes.turned : undefined} />
          {isOpen ? t('Show fewer') : t('Show all {count}', { count: favorites.length })}
        </button>
      )}
    </>
  );
}

function EntryMenu({
  favorites,
  at,
  onChange,
}: {
  favorites: readonly Favorite[];
  at: number;
  onChange: (edit: Edit) => void;
}) {
  const favorite = favorites[at];
  if (!favorite) return null;
  return (
    <Menu position="bottom-start" withinPortal>
      <Menu.Target>
        <RailMoreButton
          aria-label={t('More for the favorite {title}', { title: favorite.title || favorite.identifier })}
        />
      </Menu.Target>
      <Menu.Dropdown>
        <Menu.Item
          leftSection={<ArrowUp size={14} />}
          disabled={at === 0}
          onClick={() => onChange(movedBefore(favorite, favorites[at - 1]))}
        >
          {t('Move up')}
        </Menu.Item>
        <Menu.Item
          leftSection={<ArrowDown size={14} />}
          disabled={at === favorites.length - 1}
          onClick={() => onChange(movedBefore(favorite, favorites[at + 2]))}
        >
          {t('Move down')}
        </Menu.Item>
        <Menu.Item leftSection={<StarOff size={14} />} onClick={() => onChange(withoutFavorite(favorite))}>
          {t('Remove from favorites')}
        </Menu.Item>
      </Menu.Dropdown>
    </Menu>
  );
}
