import { Button, SimpleGrid, Stack, Switch, Title } from '@mantine/core';
import { Calculator } from 'lucide-react';
import { useMemo, useState } from 'react';
import {
  type Field,
  type FieldEntity,
  fieldValue,
  isCalculated,
  relationKey,
  shownShape,
} from '../../parts/entities/fields.ts';
import { EditableCell, isEditedInPlace } from '../../parts/entities/inline-edit.tsx';
import { type Names, PropertyValue } from '../../parts/entities/property-value.tsx';
import { useOffers } from '../../parts/entities/rights.ts';
import { useTeams } from '../../parts/entities/team-form.ts';
import { useRelationTitles } from '../../parts/entities/titles.ts';
import classes from './entity.module.css';

const longFormats = new Set(['markdown', 'yaml', 'proto']);

function isLong(field: Field): boolean {
  const shape = shownShape(field);
  return longFormats.has(shape.format ?? '') || (shape.type === 'object' && shape.format !== 'labeled-url');
}

/** The properties of an entity, in groups. */
export function Overview({
  blueprint,
  entity,
  fields,
}: {
  blueprint: string;
  entity: FieldEntity;
  fields: readonly Field[];
}) {
  const [showsEmpty, setShowsEmpty] = useState(false);
  const relations = useMemo(() => fields.filter(({ source }) => source === 'relation'), [fields]);
  const one = useMemo(() => [entity], [entity]);
  const titles = useRelationTitles(one, relations);
  const { nameOf } = useTeams();
  const names: Names = { titles, teamName: nameOf };
  const isFilled = (field: Field) => fieldValue(entity, field) !== undefined;
  const shown = fields.filter(
    (field) => (showsEmpty || isFilled(field)) && field.key !== '$title' && field.key !== '$identifier',
  );
  const emptyCount = fields.filter((field) => !isFilled(field)).length;
  const groups = [
    { title: 'Properties', fields: shown.filter((field) => field.source === 'property' && !isLong(field)) },
    { title: 'Relations', fields: shown.filter(({ source, key }) => source === 'relation' || key === '$team') },
    {
      title: 'Calculated',
      fields: shown.filter((field) => isCalculated(field) && field.source !== 'scorecard' && !isLong(field)),
    },
    { title: 'About the record', fields: shown.filter(({ source, key }) => source === 'meta' && key !== '$team') },
  ];
  const longs = shown.filter((field) => isLong(field) && field.source !== 'scorecard');
  return (
    <Stack gap="md">
      {emptyCount > 0 && (
        <Switch
          size="xs"
          label={`Show what is empty (${emptyCount})`}
          checked={showsEmpty}
          onChange={({ currentTarget }) => setShowsEmpty(currentTarget.checked)}
        />
      )}
      <SimpleGrid cols={{ base: 1, lg: 2 }} spacing="md">
        {groups.map(
          (group) =>
            group.fields.length > 0 && (
              <section key={group.title} className={classes.block} aria-label={group.title}>
                <Title order={2} size="h3" mb="sm">
                  {group.title}
                </Title>
                <dl className={classes.details}>
                  {group.fields.map((field) => (
                    <Line key={field.key} field={field} entity={entity} blueprint={blueprint} names={names} />
                  ))}
                </dl>
              </section>
            ),
        )}
      </SimpleGrid>
      {longs.map((field) => (
        <Long key={field.key} field={field} entity={entity} names={names} />
      ))}
    </Stack>
  );
}

function Line({
  field,
  entity,
  blueprint,
  names,
}: {
  field: Field;
  entity: FieldEntity;
  blueprint: string;
  names: Names;
}) {
  const offers = useOffers(blueprint);
  const value = <PropertyValue field={field} value={fieldValue(entity, field)} names={names} isWhole />;
  const mayEdit =
    isEditedInPlace(field) &&
    (field.source === 'relation' ? offers.relation(relationKey(field)) : offers.property(field.key));
  return (
    <>
      <dt title={field.shape.description}>
        {field.title}
        {isCalculated(field) && (
          <span title="Calculated by the platform" className={classes.calculated}>
            <Calculator size={12} aria-label="calculated" role="img" />
          </span>
        )}
      </dt>
      <dd>
        {mayEdit ? (
          <EditableCell field={field} entity={entity} blueprint={blueprint}>
            {value}
          </EditableCell>
        ) : (
          value
        )}
      </dd>
    </>
  );
}

/** Long texts, folded at first. */
function Long({ field, entity, names }: { field: Field; entity: FieldEntity; names: Names }) {
  const value = fieldValue(entity, field);
  const isHeavy = typeof value === 'string' && value.length > 200_000;
  const [isShown, setShown] = useState(!isHeavy);
  return (
    <section className={classes.block} aria-label={field.title}>
      <Title order={2} size="h3" mb="sm">
        {field.title}
        {isCalculated(field) && (
          <span className={classes.calculated}>
            <Calculator size={14} aria-label="calculated" role="img" />
          </span>
        )}
      </Title>
      {isShown ? (
        <PropertyValue field={field} value={value} names={names} isWhole />
      ) : (
        <Button variant="default" size="xs" onClick={() => setShown(true)}>
          Show {String(value).length.toLocaleString()} characters
        </Button>
      )}
    </section>
  );
}
