import { linkOptions } from '@tanstack/react-router';
import { LightLink } from '../kit/light-link.tsx';
import { EntityIcon } from './entity-icon.tsx';
import classes from './parts.module.css';

export function entityAddress(blueprint: string, entity: string) {
  return linkOptions({ to: '/e/$blueprint/$entity', params: { blueprint, entity } });
}

/** The title of an entity as a link; the identifier shows on hover and focus. */
export function EntityAnchor({
  blueprint,
  identifier,
  title,
  icon,
}: {
  blueprint: string;
  identifier: string;
  title?: string | null | undefined;
  icon?: string | null | undefined;
}) {
  return (
    <LightLink target={entityAddress(blueprint, identifier)} className={classes.entity} title={identifier}>
      {icon !== undefined && <EntityIcon name={icon} />}
      <span dir="auto">{title || identifier}</span>
    </LightLink>
  );
}
