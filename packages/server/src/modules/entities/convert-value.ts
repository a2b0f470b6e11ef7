import type { SchemaProperty } from '@portolan/contract';

/** A value that was converted, and what was done to it as the end of a sentence about the property. */
export interface Converted {
  readonly value: unknown;
  readonly what: string;
}

interface Wanted {
  readonly type?: SchemaProperty['type'] | undefined;
  readonly items?: Wanted | undefined;
}

/**
 * The value as the property takes it, where that is certain; undefined where it is so already or cannot be. Published
 * mappings send numbers and true or false as texts (SonarQube, Kafka, New Relic, ServiceNow) and numbers where a text is wanted
 * (Kubecost), and none sends true or false where a text is wanted, so that stays a mistake (decision 0071).
 */
export function convertValue({ type, items }: Wanted, value: unknown): Converted | undefined {
  if (type === 'array') return Array.isArray(value) && items?.type ? convertList(items, value) : undefined;
  if (type === 'string' && typeof value === 'number') {
    return { value: JSON.stringify(value), what: 'takes a text; the number was kept as its text' };
  }
  if (typeof value !== 'string') return undefined;
  if (type === 'number') {
    const number = numberIn(value);
    return number === undefined ? undefined : { value: number, what: 'takes a number; the text was read as one' };
  }
  if (type !== 'boolean') return undefined;
  const flag = flags.get(value.trim().toLowerCase());
  return flag === undefined ? undefined : { value: flag, what: 'takes true or false; the text was read as that' };
}

const flags = new Map([
  ['true', true],
  ['false', false],
]);

/** Each item for itself: what cannot be converted stays and is refused where it stands. */
function convertList(items: Wanted, list: readonly unknown[]): Converted | undefined {
  let what: string | undefined;
  const value = list.map((each) => {
    const converted = convertValue(items, each);
    what ??= converted?.what;
    return converted ? converted.value : each;
  });
  return what === undefined ? undefined : { value, what: `is a list of which an item ${what}` };
}

/** As JSON writes numbers: `007` and `1,5` are texts. */
const numeral = /^-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?$/;

/** The number that a text is; undefined where it is none, or a whole one that is too long to be kept exactly. */
function numberIn(text: string): number | undefined {
  const written = text.trim();
  if (!numeral.test(written)) return undefined;
  const number = Number(written);
  const isExact = Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));
  return isExact ? number : undefined;
}
