import type { SchemaProperty } from '@portolan/contract/blueprints';

/** A converted value, with the end of a sentence about it. */
export interface ConvertedValue {
  readonly value: unknown;
  readonly what: string;
}

interface WantedShape {
  readonly type?: SchemaProperty['type'] | undefined;
  readonly items?: WantedShape | undefined;
}

/**
 * Converts a value if that is certain; undefined if it fits already or cannot be converted. Published mappings send
 * numbers and booleans as texts (SonarQube, Kafka, New Relic, ServiceNow) and numbers for texts (Kubecost), but none
 * sends booleans for texts, so that stays an issue (decision 0071).
 */
export function convertValue({ type, items }: WantedShape, value: unknown): ConvertedValue | undefined {
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

/** Converts items one by one; the others stay and are refused. */
function convertList(items: WantedShape, list: readonly unknown[]): ConvertedValue | undefined {
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

/** The number in a text; undefined if there is none, or an integer too long to be exact. */
function numberIn(text: string): number | undefined {
  const written = text.trim();
  if (!numeral.test(written)) return undefined;
  const number = Number(written);
  const isExact = Number.isSafeInteger(number) || (Number.isFinite(number) && !Number.isInteger(number));
  return isExact ? number : undefined;
}
