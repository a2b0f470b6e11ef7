import type { ActionInput } from '@portolan/contract/action-inputs';
import { t } from '../../kit/translate.ts';
import { formatChoices, type PropertyType } from '../property-kinds.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ofModelsAlone: ReadonlySet<string> = new Set(['blueprints', 'idn-email', 'idn-format']);

/** The formats of an input; an unknown format is kept as an option. */
export function inputFormats(type: PropertyType, now: string): readonly Choice[] {
  const known = formatChoices(type).filter(({ value }) => !ofModelsAlone.has(value));
  const choices = [
    { value: '', label: t('Plain') },
    ...(type === 'string' ? [{ value: 'multi-line', label: t('Several lines') }] : []),
    ...known,
  ];
  return choices.some(({ value }) => value === now) ? choices : [...choices, { value: now, label: now }];
}

/** An unused key made from a title; keys allow only plain letters. */
export function inputKeyFor(title: string, taken: ReadonlySet<string>): string {
  const plain = title
    .trim()
    .toLowerCase()
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^a-z0-9]+/g, '_')
    .replaceAll(/^_+|_+$/g, '')
    .slice(0, 90);
  if (plain === '' || !taken.has(plain)) return plain;
  let count = 2;
  while (taken.has(`${plain}_${count}`)) count += 1;
  return `${plain}_${count}`;
}

/** Why a key is invalid; undefined if valid. */
export function inputKeyProblem(
  key: string,
  before: string | undefined,
  taken: ReadonlySet<string>,
): string | undefined {
  if (key === '') return t('Enter a key');
  if (key.length > 100 || !/^[A-Za-z0-9@_=\\-]+$/.test(key)) {
    return 'A key holds letters, digits and @ _ = \\ - only, at most 100';
  }
  return key !== before && taken.has(key) ? t('Something of this form has this key already') : undefined;
}

/** The blueprint of an entity input, or of a list of entities. */
export function blueprintOfInput({ type, items, blueprint }: ActionInput): string {
  const inner = type === 'array' ? items?.['blueprint'] : undefined;
  return typeof inner === 'string' ? inner : (blueprint ?? '');
}

export function formatOfInput({ type, items, format }: ActionInput): string {
  const inner = type === 'array' ? items?.['format'] : format;
  return typeof inner === 'string' ? inner : '';
}

/** The type of an input, or of a list's items. */
export function inputValueType({ type, items }: ActionInput): PropertyType {
  if (type !== 'array') return type;
  const inner = items?.['type'];
  return typeof inner === 'string' ? (inner as PropertyType) : 'string';
}

/** Keys that only apply to some types and formats. Elsewhere they would be meaningless or refuse every value. */
const ofKind: readonly (readonly [string, (input: ActionInput) => boolean])[] = [
  ['items', ({ type }) => type === 'array'],
  ['minItems', ({ type }) => type === 'array'],
  ['maxItems', ({ type }) => type === 'array'],
  ['minLength', ({ type }) => type === 'string'],
  ['maxLength', ({ type }) => type === 'string'],
  ['pattern', ({ type }) => type === 'string'],
  ['minimum', ({ type }) => type === 'number'],
  ['maximum', ({ type }) => type === 'number'],
  ['enum', ({ type }) => type === 'string' || type === 'number'],
  ['enumColors', ({ type }) => type === 'string' || type === 'number'],
  ['encryption', ({ type }) => type === 'string' || type === 'object'],
  ['blueprint', (input) => formatOfInput(input) === 'entity'],
  ['dataset', (input) => formatOfInput(input) === 'entity'],
  ['sort', (input) => formatOfInput(input) === 'entity'],
];

/** Drops the keys that do not apply to the type. */
function fitting(input: ActionInput): ActionInput {
  const lost = new Set(ofKind.filter(([, fits]) => !fits(input)).map(([key]) => key));
  return Object.fromEntries(Object.entries(input).filter(([key]) => !lost.has(key))) as ActionInput;
}

/** Changes the type; the default and format of the previous type are dropped. */
export function withType(input: ActionInput, type: PropertyType): ActionInput {
  const { format: _format, default: _default, ...rest } = input;
  return fitting({ ...rest, type, ...(type === 'array' ? { items: { type: 'string' } } : {}) } as ActionInput);
}

/** Changes the format of the input, or of a list's items. */
export function withFormat(input: ActionInput, format: string): ActionInput {
  const put = (map: Readonly<Record<string, unknown>>) => {
    const { format: _before, ...rest } = map;
    return format === '' ? rest : { ...rest, format };
  };
  const next = input.type === 'array' ? { ...input, items: put(input.items ?? {}) } : put(input);
  return fitting(next as ActionInput);
}
