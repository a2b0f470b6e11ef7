import { Group, Text, Title } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import type { LinkTarget } from '../frame/link-target.ts';
import { AnchorLink } from '../frame/links.tsx';
import { useTitle } from '../frame/title.ts';
import { EntityIcon } from './entity-icon.tsx';
import type { Favorite } from './favorites/favorite.ts';
import { FavoriteStar } from './favorites/favorite-star.tsx';
import classes from './parts.module.css';

/** The header of every screen: its h1, purpose and buttons. Also titles the browser tab. */
export function PageHeader({
  title,
  icon,
  description,
  trail = [],
  above,
  favorite,
  actions,
}: {
  title: string;
  icon?: string | undefined;
  description?: ReactNode;
  /** Breadcrumbs, outermost first. */
  trail?: readonly (LinkTarget & { readonly label: string })[];
  /** Other content above the heading. */
  above?: ReactNode;
  /** What the star beside the heading keeps; none without it. */
  favorite?: Favorite;
  actions?: ReactNode;
}) {
  useTitle(title);
  return (
    <header className={classes.header}>
      <div className={classes.headerText}>
        {trail.length > 0 && (
          <Group gap={6}>
            {trail.map(({ label, ...target }, index) => (
              <Fragment key={label}>
                {index > 0 && '/'}
                <AnchorLink {...target} size="sm">
                  {label}
                </AnchorLink>
              </Fragment>
            ))}
          </Group>
        )}
        {above}
        <div className={classes.headerLine}>
          <Title order={1} className={classes.headerTitle ?? ''} dir="auto">
            {icon !== undefined && <EntityIcon name={icon} size={22} />}
            {title}
          </Title>
          {favorite && <FavoriteStar favorite={{ title, ...(icon ? { icon } : {}), ...favorite }} />}
        </div>
        {description && (
          <Text component="div" c="dimmed" mt={4}>
            {description}
          </Text>
        )}
      </div>
      {actions && <Group gap="xs">{actions}</Group>}
    </header>
  );
}
