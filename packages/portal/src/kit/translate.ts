import { direction, language, locale } from './language.ts';

/** Texts by their English words; those that count have one entry a form, such as `{count} rules_one`. */
export type Catalogue = Readonly<Record<string, string>>;

type Value = string | number | null | undefined;
export type Values = Readonly<Record<string, Value>>;

let catalogue: Catalogue | undefined;
const forms = new Intl.PluralRules(locale);
const number = new Intl.NumberFormat(locale);

if (typeof document !== 'undefined') {
  document.documentElement.lang = language;
  document.documentElement.dir = direction;
}

/**
 * A text in the language of the page; English where the catalogue has none.
 * @param text English, with placeholders: `Delete {title}`. Written as it is, since `npm run generate` collects texts
 * from the source.
 */
export function t(text: string, values?: Values): string {
  return fill(catalogue?.[text] ?? text, values);
}

/** A text that counts: `plural(rules.length, '{count} rule', '{count} rules')`. */
export function plural(count: number, one: string, many: string, values?: Values): string {
  const text = catalogue?.[`${many}_${forms.select(count)}`] ?? catalogue?.[`${many}_other`];
  return fill(text ?? (count === 1 ? one : many), { ...values, count: number.format(count) });
}

/** Puts values into their placeholders; those without a value stay. */
export function fill(text: string, values: Values | undefined): string {
  if (!values) return text;
  return text.replace(/\{(\w+)\}/g, (placeholder, name: string) =>
    Object.hasOwn(values, name) ? String(values[name] ?? '') : placeholder,
  );
}

/** Fetches the texts of the page's language; to be awaited before anything says a text. English needs none. */
export async function loadCatalogue(): Promise<void> {
  catalogue = await readCatalogue();
}

async function readCatalogue(): Promise<Catalogue | undefined> {
  if (language === 'en') return undefined;
  if (language === 'de') return (await import('../languages/de.json')).default;
  return (await import('./pseudo.ts')).pseudoCatalogue;
}
