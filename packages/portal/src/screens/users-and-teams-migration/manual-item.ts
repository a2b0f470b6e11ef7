import { isRecord } from '@portolan/contract/json-value';
import { t } from '../../kit/translate.ts';

/** A place for a manual change, with the fields that the screen shows. */
export interface ManualItem {
  /** Stable: the same place has the same id in every plan. */
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
        /** Part of the place still needs a look after the suggestion is applied. */
        readonly isPartial: boolean;
      }
    | undefined;
  /**
   * The result of the expression on one entity or user: now, and afterwards with the suggestion (or unchanged if there
   * is none).
   */
  readonly sample: { readonly of: string; readonly before: unknown; readonly after: unknown } | undefined;
}

type Fields = Readonly<Record<string, unknown>>;

/** Parses an item of the plan, whose shape the contract leaves open; undefined if malformed. */
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

/** Safe to apply without a look: the place breaks otherwise, and the suggestion is complete and removes nothing. */
export function isSafe({ verdict, suggestion }: ManualItem): boolean {
  return verdict === 'breaks' && suggestion !== undefined && suggestion.value !== null && !suggestion.isPartial;
}

/** Whether two values are equal, regardless of the order of keys. */
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

/** The place of an item, in one line. */
export function describePlace({ kind, identifier, title, blueprint, element, pointer }: ManualItem): string {
  const name = title === identifier ? title : `${title} (${identifier})`;
  const parts = [
    `${inWords(kind)} ${name}`,
    blueprint && t('of {blueprint}', { blueprint }),
    element && `· ${element}`,
    `· ${pointer}`,
  ];
  return parts.filter(Boolean).join(' ');
}

function toFields(value: unknown): Fields {
  return isRecord(value) ? (value as Fields) : {};
}

function toText(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}
