import type { Blueprint } from '@portolan/contract/blueprints';
import { t } from '../../kit/translate.ts';
import { type Field, type FieldEntity, fieldValue, relationKey } from '../../parts/entities/fields.ts';
import type { Query } from '../../parts/entities/operators.ts';

/** A relation from or to the entity, in words. */
export interface Connection {
  readonly id: string;
  readonly title: string;
  readonly label: string;
  /** The blueprint at the other end. */
  readonly blueprint: string;
  readonly isOutward: boolean;
  readonly query: Query;
}

/** The relations of the entity, then the relations of other blueprints to it. */
export function listConnections(
  blueprint: string,
  entity: FieldEntity,
  fields: readonly Field[],
  blueprints: readonly Pick<Blueprint, 'identifier' | 'title' | 'relations'>[],
): readonly Connection[] {
  const titleOf = (identifier: string) =>
    blueprints.find((each) => each.identifier === identifier)?.title ?? identifier;
  const outward = fields.flatMap((field): Connection[] => {
    if (field.source !== 'relation' || field.target === undefined) return [];
    const value = [fieldValue(entity, field) ?? []].flat().map(String);
    return [
      {
        id: `to-${relationKey(field)}`,
        title: `${field.title} → ${titleOf(field.target)}`,
        label: field.title,
        blueprint: field.target,
        isOutward: true,
        query: { combinator: 'and', rules: [{ property: '$identifier', operator: 'in', value }] },
      },
    ];
  });
  const inward = blueprints.flatMap((other) =>
    Object.entries(other.relations).flatMap(([key, relation]): Connection[] => {
      if (relation.target !== blueprint) return [];
      const name = relation.title ?? key;
      return [
        {
          id: `from-${other.identifier}-${key}`,
          title: t('{title} whose {name} is this', { title: other.title, name }),
          label: name,
          blueprint: other.identifier,
          isOutward: false,
          query: {
            combinator: 'and',
            rules: [
              { relation: key, operator: relation.many ? 'containsAny' : 'in', value: [entity.identifier ?? ''] },
            ],
          },
        },
      ];
    }),
  );
  return [...outward, ...inward];
}
