import { EntityIcon } from './entity-icon.tsx';
import { LightLink } from './light-link.tsx';
import classes from './parts.module.css';

/** The address of an entity's screen. */
export function entityAddress(blueprint: string, identifier: string): string {
  return `/e/${encodeURIComponent(blueprint)}/${encodeURIComponent(identifier)}`;
}

/** Title of an entity, leading to it; the identifier shows on hover and focus. */
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
    <LightLink to={entityAddress(blueprint, identifier)} className={classes.entity} title={identifier}>
      {icon !== undefined && <EntityIcon name={icon} />}
      <span dir="auto">{title || identifier}</span>
    </LightLink>
  );
}
