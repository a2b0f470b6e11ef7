import { isRecord } from '@portolan/contract/json-value';

/** One place that a person has to look at, as far as the screen shows it. */
export interface ManualItem {
  /** The same place has the same id in every run. */
  readonly id: string;
  readonly area: string;
  readonly kind: string;
  readonly identifier: string;
  readonly title: string;
  readonly blueprint: string | undefined;
  readonly element: string | undefined;
  readonly pointer: string;
  readonly why: string;
  readonly verdict: string;
  readonly before: unknown;
  readonly suggestion:
    | {
        readonly value: unknown;
        readonly explanation: string;
        /** Something of the place stays to be looked at, also once it is written. */
        readonly isPartial: boolean;
      }
    | undefined;
  /** What the expression gives on one entity or person now, and afterwards as it is suggested, or else as it is. */
  readonly sample: { readonly of: string; readonly before: unknown; readonly after: unknown } | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Reads an item of the plan, whose shape the contract leaves open; undefined for what is none. */
export function readItem(value: unknown): ManualItem | undefined {
  const item = toFields(value);
  const id = toText(item['id']);
  if (id === undefined) return undefined;
  const resource = toFields(item['resource']);
  const element = toFields(item['element']);
  const suggestion = toFields(item['suggestion']);
  const sample = toFields(item['sample']);
  const identifier = toText(resource['identifier']) ?? '';
  return {
    id,
    area: toText(item['area']) ?? '',
    kind: toText(resource['kind']) ?? '',
    identifier,
    title: toText(resource['title']) ?? identifier,
    blueprint: toText(resource['blueprint']),
    element: toText(element['title']) ?? toText(element['identifier']),
    pointer: toText(item['pointer']) ?? '',
    why: toText(item['why']) ?? '',
    verdict: toText(item['verdict']) ?? 'review',
    before: item['before'] ?? null,
    suggestion:
      'value' in suggestion
        ? {
            value: suggestion['value'],
            explanation: toText(suggestion['explanation']) ?? '',
            isPartial: suggestion['isPartial'] === true,
          }
        : undefined,
    sample:
      'of' in sample
        ? { of: toText(sample['of']) ?? '', before: sample['before'] ?? null, after: sample['after'] ?? null }
        : undefined,
  };
}

/** Without it the item gives something else, what to write is known as a whole, and nothing is removed. */
export function isSafe({ verdict, suggestion }: ManualItem): boolean {
  return verdict === 'breaks' && suggestion !== undefined && suggestion.value !== null && !suggestion.isPartial;
}

/** Whether two values of documents say the same, whatever the order of their keys. */
export function isSame(left: unknown, right: unknown): boolean {
  return ordered(left) === ordered(right);
}

function ordered(value: unknown): string {
  return JSON.stringify(value ?? null, (_key, each: unknown) =>
    isRecord(each) ? Object.fromEntries(Object.entries(each).sort(([a], [b]) => (a < b ? -1 : 1))) : each,
  );
}

export function readItems(values: readonly unknown[]): ManualItem[] {
  return values.flatMap((value) => readItem(value) ?? []);
}

/** `dynamic-permissions` → `Dynamic permissions`. */
export function inWords(name: string): string {
  const words = name.replaceAll('-', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

/** Where the item stands, in a line. */
export function describePlace({ kind, identifier, title, blueprint, element, pointer }: ManualItem): string {
  const name = title === identifier ? title : `${title} (${identifier})`;
  const parts = [`${inWords(kind)} ${name}`, blueprint && `of ${blueprint}`, element && `· ${element}`, `· ${pointer}`];
  return parts.filter(Boolean).join(' ');
}

function toFields(value: unknown): Fields {
  return isRecord(value) ? (value as Fields) : {};
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
