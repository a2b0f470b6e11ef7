/** `production`, `Services`, `API`, `web01`, `v4`, `2024`: words that no secret is made of. */
const ordinaryWord = /^(?:[A-Z]?[a-z]{1,14}|[A-Z]{1,12}|\d{1,4}|[A-Za-z]{1,8}\d{1,3})$/;
const consonantsInARow = /[bcdfghjklmnpqrstvwxz]{5}/i;

/**
 * Whether a part of a secret may be shown although the secret may not: a host, words of a path. Hiding it would blank
 * out unrelated text. Nothing that looks random is ordinary.
 */
export function isOrdinary(part: string): boolean {
  return part.split(/[-_.+~]+/).every((word) => word === '' || isOrdinaryWord(word));
}

function isOrdinaryWord(word: string): boolean {
  if (ordinaryWord.test(word)) return !consonantsInARow.test(word);
  // `userName`, `HttpServer`: humps of three letters or more, which random text rarely has
  const humps = word.split(/(?=[A-Z])/);
  return humps.every((hump) => hump.length > 2 && ordinaryWord.test(hump));
}

/** `https://gitlab.example.com/api/v4`: a location, not a secret, although it is stored as one. */
export function isBareAddress(value: string): boolean {
  const match = /^https?:\/\/([^/?#@]+)(\/(?:(?:api|rest|git|v\d{1,2})\/?)*)?$/.exec(value.trim());
  return match !== null && isOrdinary((match[1] as string).replace(/:\d+$/, ''));
}
