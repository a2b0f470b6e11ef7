import { Text } from '@mantine/core';
import { LightLink } from '../../kit/light-link.tsx';
import { Reading } from '../../kit/states.tsx';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../entity-icon.tsx';
import { type Favorite, favoriteAddress, favoriteKey } from './favorite.ts';
import classes from './favorites.module.css';
import { useFavorites } from './use-favorites.ts';

/** The user's favorites in their order, each with what it is. */
export function FavoriteList() {
  const { read, isOffered } = useFavorites();
  if (!isOffered) return <Text c="dimmed">{t('Only people have favorites.')}</Text>;
  return (
    <Reading of={read}>
      {({ favorites }) =>
        favorites.length === 0 ? (
          <Text c="dimmed">
            {t(
              'Select the star beside the title of a page, an entity, an action or an agent, or of a view in the menu of a table, to keep it here.',
            )}
          </Text>
        ) : (
          <ul className={classes.list}>
            {favorites.map((favorite) => (
              <li key={favoriteKey(favorite)}>
                <LightLink target={favoriteAddress(favorite)} className={classes.link} title={favorite.identifier}>
                  <EntityIcon name={favorite.icon} />
                  <span dir="auto">{favorite.title || favorite.identifier}</span>
                </LightLink>
                <span className={classes.kind}>{kindOf(favorite)}</span>
              </li>
            ))}
          </ul>
        )
      }
    </Reading>
  );
}

function kindOf({ kind, blueprint }: Favorite): string {
  return kind === 'entity'
    ? (blueprint ?? '')
    : { page: t('Page'), action: t('Action'), agent: t('Agent'), view: t('View') }[kind];
}
