import { ActionIcon, Button, Group, Stack, Text } from '@mantine/core';
import { Plus, X } from 'lucide-react';
import { ButtonLink } from '../../frame/links.tsx';
import { plural, t } from '../../kit/translate.ts';
import { NeedsOperation } from '../../parts/access/needs.tsx';
import { EntityIcon } from '../../parts/entity-icon.tsx';
import { blueprintAddress } from './addresses.ts';
import { BlueprintMenu } from './blueprint-menu.tsx';
import classes from './model-graph.module.css';
import { findNeighbors, type Link } from './model-links.ts';
import { type ModelView, readCount } from './model-view.ts';

/** The selected blueprint beside the map or the focus, and what can be done with it. */
export function SideCard({ view, onFocus }: { view: ModelView; onFocus: (identifier: string) => void }) {
  const { blueprints, links, selected, onSelect } = view;
  const blueprint = blueprints.find(({ identifier }) => identifier === selected);
  if (!blueprint)
    return (
      <Text size="sm" c="dimmed" className={`${classes.side} ${classes.hint}`}>
        {t('Select a blueprint to see its relations. Arrow keys move, Enter selects, F focuses on one.')}
      </Text>
    );
  const { identifier, title, icon, description, schema } = blueprint;
  const { into, out } = findNeighbors(links, identifier);
  const count = readCount(view, identifier);
  const properties = plural(Object.keys(schema.properties).length, '{count} property', '{count} properties');
  return (
    <aside className={classes.side} aria-label={title} data-foot>
      <Stack gap="sm">
        <div className={classes.sideTitle}>
          <EntityIcon name={icon} size={20} />
          <span dir="auto">{title}</span>
          <BlueprintMenu blueprint={blueprint} />
          <ActionIcon aria-label={t('Close {title}', { title })} onClick={() => onSelect(undefined)}>
            <X size={16} aria-hidden="true" />
          </ActionIcon>
        </div>
        <Text size="sm" c="dimmed">
          {count !== undefined && `${plural(count, '{count} entity', '{count} entities')} · `}
          {properties}
        </Text>
        {description && (
          <Text size="sm" dir="auto">
            {description}
          </Text>
        )}
        <Group gap={8}>
          <ButtonLink {...blueprintAddress(identifier)} size="xs">
            {t('Open')}
          </ButtonLink>
          <Button size="xs" variant="default" onClick={() => onFocus(identifier)}>
            {t('Focus')}
          </Button>
          <NeedsOperation operation="replaceBlueprint" to={t('add a property to {title}', { title })}>
            <ButtonLink
              {...blueprintAddress(identifier)}
              search={{ tab: 'properties', add: true }}
              size="xs"
              variant="default"
              leftSection={<Plus size={14} aria-hidden="true" />}
            >
              {t('Add property')}
            </ButtonLink>
          </NeedsOperation>
        </Group>
        <Relations title={t('Relations in')} links={into} end="from" view={view} />
        <Relations title={t('Relations out')} links={out} end="to" view={view} />
      </Stack>
    </aside>
  );
}

function Relations({
  title,
  links,
  end,
  view: { blueprints, onSelect },
}: {
  title: string;
  links: readonly Link[];
  end: 'from' | 'to';
  view: ModelView;
}) {
  if (links.length === 0) return null;
  return (
    <section aria-label={title}>
      <Text size="sm" fw={600}>
        {title} ({links.length})
      </Text>
      <ul className={classes.relations}>
        {links.map((link) => (
          <li key={link[end]}>
            <Button
              variant="subtle"
              size="compact-sm"
              justify="flex-start"
              style={{ alignSelf: 'flex-start', marginInlineStart: -8, maxWidth: '100%' }}
              onClick={() => onSelect(link[end])}
            >
              {blueprints.find(({ identifier }) => identifier === link[end])?.title ?? link[end]}
            </Button>
            <small dir="auto">
              {link.label}
              {link.isRequired && ` · ${t('required')}`}
            </small>
          </li>
        ))}
      </ul>
    </section>
  );
}
