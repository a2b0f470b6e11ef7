import { language, locale } from '../../kit/language.ts';
import { t } from '../../kit/translate.ts';

const number = new Intl.NumberFormat(locale);
/** Titles of blueprints are what people wrote: only English ones can be bent. */
const isEnglish = language === 'en';

/** A title of a blueprint within a sentence: "Service" as "service"; "API" and "GitHub repository" stay. */
function inSentence(title: string): string {
  if (!isEnglish) return title;
  const [first = ''] = title.split(' ', 1);
  return /^.+\p{Lu}/u.test(first) ? title : title.charAt(0).toLowerCase() + title.slice(1);
}

/** Many of a blueprint, from its title in the singular: "services", "libraries", "APIs". A plural stays as it is. */
export function plural(title: string): string {
  if (!isEnglish) return title;
  const name = inSentence(title);
  if (/[^s]s$/i.test(name)) return name;
  if (/(ss|x|z|ch|sh)$/i.test(name)) return `${name}es`;
  if (/[^aeiou]y$/.test(name)) return `${name.slice(0, -1)}ies`;
  return `${name}s`;
}

/** "1 service", "1,204 services". */
export function counted(count: number, title: string): string {
  return `${number.format(count)} ${count === 1 ? inSentence(title) : plural(title)}`;
}

/** How many match of how many there are, and how many of them are loaded. */
export function matchedText(matched: number, all: number, loaded: number, title: string): string {
  const count =
    matched === all
      ? counted(all, title)
      : t('{matched} of {all}', { matched: number.format(matched), all: counted(all, title) });
  return loaded < matched ? t('{count} · {loaded} loaded', { count, loaded: number.format(loaded) }) : count;
}
