/**
 * The encoding that the caller likes best of those offered, the first where it has no preference; undefined where it wants
 * the bytes as they are (RFC 9110 §12.5.3).
 */
export function acceptedEncoding<Name extends string>(
  header: string | readonly string[] | undefined,
  offered: readonly Name[],
): Name | undefined {
  if (header === undefined) return undefined;
  const weights = new Map(String(header).split(',').map(weighted));
  const weightOf = (name: string): number => weights.get(name) ?? weights.get('*') ?? 0;
  let best: Name | undefined;
  for (const name of offered) if (weightOf(name) > (best === undefined ? 0 : weightOf(best))) best = name;
  return best !== undefined && weightOf(best) >= (weights.get('identity') ?? 0) ? best : undefined;
}

/** A malformed entry has weight 0. */
function weighted(written: string): [string, number] {
  const [name = '', ...parameters] = written.split(';').map((each) => each.trim().toLowerCase());
  const weight = parameters.find((each) => each.startsWith('q='))?.slice(2);
  return [name, weight === undefined ? 1 : Number(weight) || 0];
}
