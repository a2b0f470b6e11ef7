/** As the contract has it for entities: an identifier, or an e-mail address. */
const legal = /^(?!\.{1,2}$)(?:[\p{L}0-9@_.+:\\/=-]+|[\p{L}\p{M}0-9!#$%&'*+/=?^_`{|}~.-]+@[\p{L}\p{M}0-9.-]+)$/u;

export function isIdentifier(text: string): boolean {
  return text.length <= 1000 && legal.test(text);
}

/** A legal identifier stays as it is; other texts become one: small letters, words joined by `-`. Undefined if nothing is left. */
export function toIdentifier(text: string): string | undefined {
  const trimmed = text.trim();
  return isIdentifier(trimmed) ? trimmed : slug(trimmed);
}

export function slug(text: string): string | undefined {
  const words = text
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .toLowerCase()
    .match(/[\p{L}0-9_.]+/gu);
  const joined = words?.join('-').slice(0, 1000);
  return joined && isIdentifier(joined) ? joined : undefined;
}

/** A key for a property: the words of a heading in camel case. */
export function toKey(heading: string): string | undefined {
  const words = heading
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .match(/[A-Za-z0-9]+/g);
  if (!words) return undefined;
  const [first = '', ...rest] = words.map((word) => (word === word.toUpperCase() ? word.toLowerCase() : word));
  const key = [first[0]?.toLowerCase() + first.slice(1), ...rest.map((word) => word[0]?.toUpperCase() + word.slice(1))];
  return key.join('').slice(0, 100);
}
