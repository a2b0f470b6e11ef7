import { type Field, isGroupable } from '../entities/fields.ts';

export type Offer = 'any' | 'numbers' | 'groups' | 'texts' | 'moments';

/** Whether a field fits a question that asks for numbers, dates and so on. */
export function isOffered(field: Field, of: Offer): boolean {
  const { shape, source, key } = field;
  switch (of) {
    case 'any':
      return key !== '$title';
    case 'numbers':
      return shape.type === 'number' && source !== 'meta';
    case 'groups':
      return isGroupable(field) || source === 'scorecard';
    case 'texts':
      return shape.type === 'string' && source !== 'meta' && source !== 'scorecard' && source !== 'relation';
    case 'moments':
      return shape.format === 'date-time';
  }
}

const prefixes: Readonly<Partial<Record<Field['source'], string>>> = {
  property: 'property#',
  mirror: 'mirror-property#',
  calculation: 'calculation-property#',
  aggregation: 'aggregation-property#',
  relation: 'relation#',
  scorecard: 'scorecard#',
};

/** The name of a field in a widget. */
export function referenceTo({ key, source }: Pick<Field, 'key' | 'source'>, form: 'prefixed' | 'bare'): string {
  return form === 'prefixed' ? `${prefixes[source] ?? ''}${key}` : key;
}
