import { Button, Group, Text } from '@mantine/core';
import { useRead } from '../../api/query.ts';
import { RelativeTime } from '../../kit/relative-time.tsx';
import surfaces from '../../kit/surfaces.module.css';
import { t } from '../../kit/translate.ts';
import { ColourBadge } from '../../parts/badges.tsx';
import { kindLabel } from '../../parts/property-kinds.ts';
import type { Property } from './blueprint-draft.ts';
import classes from './data-model.module.css';

/**
 * Properties that integrations and webhooks send without the blueprint having them; each can be added with its inferred
 * type.
 */
export function UnknownProperties({
  blueprint,
  properties,
  onAdd,
}: {
  blueprint: string;
  /** Properties of the draft: an added one is not offered again. */
  properties: Readonly<Record<string, Property>>;
  onAdd: (key: string, property: Property) => void;
}) {
  const { data } = useRead('listUnknownProperties', { params: { blueprint_identifier: blueprint } });
  const missing = (data?.properties ?? []).filter(({ property }) => !Object.hasOwn(properties, property));
  if (missing.length === 0) return null;
  return (
    <section aria-label={t('Sent, and not a property')}>
      <Text fw={500}>{t('Sent, and not a property')}</Text>
      <Text className={classes.detail} mb="xs">
        {t(
          'Integrations and webhooks send values for these. They are dropped until the property is added here or taken out of the mapping.',
        )}
      </Text>
      <ul className={surfaces.list}>
        {missing.map(({ property, guess, sources }) => (
          <li key={property} className={classes.item}>
            <div className={classes.itemText}>
              <Group gap="xs">
                <code>{property}</code>
                <ColourBadge colour="blue">{kindLabel(guess)}</ColourBadge>
              </Group>
              {sources.map(({ datasource, lastSeen }) => (
                <div key={datasource} className={classes.detail}>
                  {datasource} · <RelativeTime at={lastSeen} />
                </div>
              ))}
            </div>
            <Button
              size="xs"
              variant="default"
              aria-label={t('Add the property {property}', { property })}
              onClick={() => onAdd(property, guess as Property)}
            >
              {t('Add this property')}
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
