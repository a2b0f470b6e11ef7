import { locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { kindLabel } from '../../parts/property-kinds.ts';
import type { Blueprint } from './blueprint-draft.ts';
import classes from './model-graph.module.css';
import { type ModelView, readCount } from './model-view.ts';

export const cardWidth = 220;
export const cardHeight = 40;
export const propertyHeight = 20;
const propertiesMax = 8;

/** The properties that a card shows, and how many more there are. */
export function propertyLines({ schema }: Blueprint): readonly { readonly name: string; readonly kind: string }[] {
  const all = Object.entries(schema.properties);
  const lines = all
    .slice(0, propertiesMax)
    .map(([key, property]) => ({ name: property.title ?? key, kind: kindLabel(property) }));
  return all.length > propertiesMax
    ? [...lines, { name: t('{value} more', { value: all.length - propertiesMax }), kind: '' }]
    : lines;
}

export function ModelCard({
  blueprint,
  view,
  isFocus,
  withProperties,
}: {
  blueprint: Blueprint;
  view: ModelView;
  isFocus: boolean;
  withProperties: boolean;
}) {
  const { identifier, title, icon } = blueprint;
  const { selected, found, onSelect } = view;
  const count = readCount(view, identifier);
  return (
    <button
      type="button"
      className={classes.card}
      title={title}
      aria-pressed={selected === identifier}
      tabIndex={-1}
      data-item
      data-chip={identifier}
      data-first={isFocus || undefined}
      data-focus={isFocus || undefined}
      data-on={selected === identifier || undefined}
      data-match={found?.has(identifier) || undefined}
      onClick={() => onSelect(selected === identifier ? undefined : identifier)}
    >
      <span className={classes.cardTitle}>
        <EntityIcon name={icon} />
        <span dir="auto">{title}</span>
        {count !== undefined && <span className={classes.count}>{count.toLocaleString(locale)}</span>}
      </span>
      {withProperties &&
        propertyLines(blueprint).map(({ name, kind }) => (
          <span key={`${name} ${kind}`} className={classes.property}>
            <span dir="auto">{name}</span>
            <span>{kind}</span>
          </span>
        ))}
    </button>
  );
}
