import { Group, Text } from '@mantine/core';
import { AnchorLink } from '../../frame/links.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { plural, t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { blueprintAddress } from './addresses.ts';
import type { Blueprint } from './blueprint-draft.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import classes from './data-model.module.css';
import type { ModelView } from './model-view.ts';

/** All blueprints in words, with everything that can be done with them; a search leaves those it finds. */
export function ModelList({ view: { blueprints, found } }: { view: ModelView }) {
  const shown = blueprints.filter(({ identifier }) => !found || found.has(identifier));
  return (
    <ul className={surfaces.list} aria-label={t('Blueprints')}>
      {shown.map((blueprint) => (
        <Row key={blueprint.identifier} blueprint={blueprint} all={blueprints} />
      ))}
    </ul>
  );
}

function Row({ blueprint, all }: { blueprint: Blueprint; all: readonly Blueprint[] }) {
  const { identifier, title, icon, schema, relations, ownership, teamInheritance, description } = blueprint;
  const titles = Object.entries(relations).map(
    ([key, { target, title: said }]) =>
      `${said ?? key} → ${all.find((each) => each.identifier === target)?.title ?? target}`,
  );
  return (
    <li className={classes.item}>
      <Group gap="sm" wrap="nowrap" className={classes.itemText ?? ''}>
        <EntityIcon name={icon} size={20} />
        <div>
          <AnchorLink {...blueprintAddress(identifier)} fw={600} dir="auto">
            {title}
          </AnchorLink>{' '}
          <code>{identifier}</code>
          {description && <div className={classes.detail}>{description}</div>}
          <div className={classes.detail}>
            {plural(Object.keys(schema.properties).length, '{count} property', '{count} properties')}
            {titles.length > 0 && ` · ${titles.join(', ')}`}
          </div>
        </div>
      </Group>
      <Group gap="xs">
        <Ownership ownership={ownership} isLegacy={teamInheritance !== undefined} />
        <BlueprintMenu blueprint={blueprint} />
      </Group>
    </li>
  );
}

function Ownership({ ownership, isLegacy }: { ownership: Blueprint['ownership']; isLegacy: boolean }) {
  if (ownership?.type === 'Direct') return <ColourBadge colour="green">{t('Direct ownership')}</ColourBadge>;
  if (ownership) return <ColourBadge colour="blue">{t('Inherited ownership')}</ColourBadge>;
  if (isLegacy) return <ColourBadge colour="gold">{t('Inherited teams')}</ColourBadge>;
  return (
    <Text size="sm" c="dimmed">
      {t('No ownership')}
    </Text>
  );
}
