import { ActionIcon } from '@mantine/core';
import { Star } from 'lucide-react';
import { useCommands } from '../../frame/commands.tsx';
import { spell } from '../../frame/keys.ts';
import { Menu } from '../../kit/menu.tsx';
import { Tooltip } from '../../kit/tooltip.tsx';
import { t } from '../../kit/translate.ts';
import type { Favorite } from './favorite.ts';
import classes from './favorites.module.css';
import { useFavorite } from './use-favorites.ts';

const starKey = 's';

/** The star in the header of a screen, also by its key and in the palette. Nothing for credentials of the organization. */
export function FavoriteStar({ favorite }: { favorite: Favorite }) {
  const { isOn, isOffered, toggle, label } = useFavorite(favorite);
  const switchIt = () => toggle({ tells: false });
  useCommands(isOffered ? [{ id: 'favorite', label, keywords: 'star', keys: starKey, icon: Star, run: switchIt }] : []);
  if (!isOffered) return null;
  return (
    <Tooltip label={`${label} (${spell(starKey)})`}>
      <ActionIcon
        className={classes.star ?? ''}
        size={32}
        aria-label={label}
        data-on={isOn || undefined}
        onClick={switchIt}
      >
        <Star size={18} aria-hidden="true" />
      </ActionIcon>
    </Tooltip>
  );
}

/** The same in the menu of a row. */
export function FavoriteItem({ favorite }: { favorite: Favorite }) {
  const { isOn, isOffered, toggle, label } = useFavorite(favorite);
  if (!isOffered) return null;
  return (
    <Menu.Item
      leftSection={<Star size={14} className={classes.small} data-on={isOn || undefined} aria-hidden="true" />}
      onClick={() => toggle({ tells: true })}
    >
      {label}
    </Menu.Item>
  );
}

/** The same as a sign beside the name of a thing in a menu, which stays open. */
export function FavoriteMark({ favorite }: { favorite: Favorite }) {
  const { isOn, isOffered, toggle } = useFavorite(favorite);
  const name = favorite.title || favorite.identifier;
  if (!isOffered) return null;
  return (
    <Menu.Item
      className={classes.mark ?? ''}
      closeMenuOnClick={false}
      aria-label={isOn ? t('Remove {name} from favorites', { name }) : t('Add {name} to favorites', { name })}
      onClick={() => toggle({ tells: true })}
    >
      <Star size={14} className={classes.small} data-on={isOn || undefined} aria-hidden="true" />
    </Menu.Item>
  );
}
