import type { ActionInput } from '@portolan/contract/action-inputs';
import { formatChoices, type PropertyType } from '../../parts/property-kinds.ts';

interface Choice {
  readonly value: string;
  readonly label: string;
}

const ofModelsAlone: ReadonlySet<string> = new Set(['blueprints', 'idn-email', 'idn-format']);

/** What a format can be for an input; one that is not known stays as it is written. */
export function inputFormats(type: PropertyType, now: string): readonly Choice[] {
  const known = formatChoices(type).filter(({ value }) => !ofModelsAlone.has(value));
  const choices = [
    { value: '', label: 'Plain' },
    ...(type === 'string' ? [{ value: 'multi-line', label: 'Several lines' }] : []),
    ...known,
  ];
  return choices.some(({ value }) => value === now) ? choices : [...choices, { value: now, label: now }];
}

/** A key that nothing has, for a title: keys hold no letters but plain ones. */
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

/** Why a key will not do; undefined where it will. */
export function inputKeyProblem(
  key: string,
  before: string | undefined,
  taken: ReadonlySet<string>,
): string | undefined {
  if (key === '') return 'It needs a key';
  if (key.length > 100 || !/^[A-Za-z0-9@_=\\-]+$/.test(key)) {
    return 'A key holds letters, digits and @ _ = \\ - only, at most 100';
  }
  return key !== before && taken.has(key) ? 'Something of this form has this key already' : undefined;
}

/** The blueprint whose entities an input offers, of a list too. */
export function blueprintOfInput({ type, items, blueprint }: ActionInput): string {
  const inner = type === 'array' ? items?.['blueprint'] : undefined;
  return typeof inner === 'string' ? inner : (blueprint ?? '');
}

export function formatOfInput({ type, items, format }: ActionInput): string {
  const inner = type === 'array' ? items?.['format'] : format;
  return typeof inner === 'string' ? inner : '';
}

/** What each of a list is, or the input itself. */
export function inputValueType({ type, items }: ActionInput): PropertyType {
  if (type !== 'array') return type;
  const inner = items?.['type'];
  return typeof inner === 'string' ? (inner as PropertyType) : 'string';
}

/** What only other types and formats have; it would mean nothing, or refuse everything. */
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

/** Without what belongs to the type that it had before. */
function fitting(input: ActionInput): ActionInput {
  const lost = new Set(ofKind.filter(([, fits]) => !fits(input)).map(([key]) => key));
  return Object.fromEntries(Object.entries(input).filter(([key]) => !lost.has(key))) as ActionInput;
}

/** The input as another type: its default and format are of the old one. */
export function withType(input: ActionInput, type: PropertyType): ActionInput {
  const { format: _format, default: _default, ...rest } = input;
  return fitting({ ...rest, type, ...(type === 'array' ? { items: { type: 'string' } } : {}) } as ActionInput);
}

/** The input, or each of its list, with another format. */
export function withFormat(input: ActionInput, format: string): ActionInput {
  const put = (map: Readonly<Record<string, unknown>>) => {
    const { format: _before, ...rest } = map;
    return format === '' ? rest : { ...rest, format };
  };
  const next = input.type === 'array' ? { ...input, items: put(input.items ?? {}) } : put(input);
  return fitting(next as ActionInput);
}
