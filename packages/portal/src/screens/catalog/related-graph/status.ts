import type { Blueprint } from '@portolan/contract/blueprints';
import { type Field, type FieldEntity, fieldValue, listFields } from '../../../parts/entities/fields.ts';

const alarming: Readonly<Record<string, number>> = { red: 0, orange: 1, pink: 1, yellow: 2, gold: 2 };
const calm = 3;

/** Colors alone are no state: languages have some too. */
const stateNames = /stat(e|us)|result|severity|health|outcome|conclusion|phase/i;

/** The first property that is named like a state and whose values have colors. */
export function readStatus(blueprint: Pick<Blueprint, 'schema'>): Field | undefined {
  const found = Object.entries(blueprint.schema.properties).find(
    ([key, { type, enumColors }]) =>
      type === 'string' && Object.keys(enumColors ?? {}).length > 0 && stateNames.test(key),
  );
  if (!found) return undefined;
  const [key, shape] = found;
  return { key, title: shape.title ?? key, source: 'property', shape: shape as Field['shape'], isRequired: false };
}

export function statusColour(field: Field, value: unknown): string | undefined {
  return field.shape.enumColors?.[String(value)];
}

/** Entities in red states first, then orange and yellow ones; otherwise in the order they came in. */
export function worstFirst<Entity extends FieldEntity>(
  entities: readonly Entity[],
  status: Field | undefined,
): readonly Entity[] {
  if (!status) return entities;
  const alarm = (entity: Entity) => alarming[statusColour(status, fieldValue(entity, status)) ?? ''] ?? calm;
  return entities.toSorted((one, other) => alarm(one) - alarm(other));
}

/** The relations of a blueprint as fields. */
export function relationFields(blueprint: Blueprint): readonly Field[] {
  return listFields(blueprint).filter(({ source }) => source === 'relation');
}
