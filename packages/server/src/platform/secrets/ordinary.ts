/** `production`, `Services`, `API`, `web01`, `v4`, `2024`: what text that holds no secret is made of. */
const ordinaryWord = /^(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,12}|\d{1,4}|[A-Za-z]{1,8}\d{1,3})$/;
const consonantsInARow = /[bcdfghjklmnpqrstvwxz]{5}/i;

/**
 * Whether a part of a secret may stand in a text although the secret may not: a host, words of a path. Such a part tells
 * nothing, and hiding it would blank out unrelated text. Whatever looks as if it had been drawn at random is none.
 */
export function isOrdinary(part: string): boolean {
  return part.split(/[-_.+~]+/).every((word) => word === '' || isOrdinaryWord(word));
}

function isOrdinaryWord(word: string): boolean {
  if (ordinaryWord.test(word)) return !consonantsInARow.test(word);
  // `userName`, `HttpServer`: humps of at least three letters, as random letters seldom have them
  const humps = word.split(/(?=[A-Z])/);
  return humps.every((hump) => hump.length > 2 && ordinaryWord.test(hump));
}

/** `https://gitlab.example.com/api/v4`: where something is, which is no secret although it is kept as one. */
export function isBareAddress(value: string): boolean {
  const match = /^https?:\/\/([^/?#@]+)(\/(?:(?:api|rest|git|v\d{1,2})\/?)*)?$/.exec(value.trim());
  return match !== null && isOrdinary((match[1] as string).replace(/:\d+$/, ''));
}
